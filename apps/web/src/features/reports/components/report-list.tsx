import type { Publication } from '@atoll/contract/publications/entity';
import { personName } from '@atoll/contract/users/names';
import { Skeleton } from '@mantine/core';
import { IconReport } from '@tabler/icons-react';
import { TextLink } from '../../../ui/links.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { accessWords, reportRoute } from '../../publications/model.ts';

export function ReportList({ reports }: { reports: readonly Publication[] | undefined }) {
  if (!reports) return <Skeleton height={180} />;
  return (
    <Rows label="Reports">
      {reports.map(({ id, slug, title, owner, content_kind, updated_at, access_level, version_number }) => (
        <Row
          key={id}
          icon={<IconReport size={20} stroke={1.5} />}
          title={
            <TextLink to={reportRoute(content_kind)} params={{ slug }}>
              {title}
            </TextLink>
          }
          detail={
            <>
              {personName(owner)} · {accessWords[access_level].label} · Version {version_number} ·{' '}
              <When time={updated_at} />
            </>
          }
        />
      ))}
    </Rows>
  );
}
