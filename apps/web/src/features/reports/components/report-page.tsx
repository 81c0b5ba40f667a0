import type { PublicationDetail } from '@atoll/contract/publications/entity';
import { Button, Menu, Skeleton } from '@mantine/core';
import { IconChevronDown, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Suspense, useMemo, useState } from 'react';
import { LinkButton, TextLink } from '../../../ui/links.tsx';
import { Page } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { toastError } from '../../../ui/toast.ts';
import { readingRoute } from '../../publications/model.ts';
import { publicationQuery } from '../../publications/queries.ts';
import { useEnabledParts } from '../../session/enabled-features.ts';
import { useSession } from '../../session/queries.ts';
import { cellsOf } from '../model.ts';
import { useDownload } from '../mutations.ts';
import { printHere } from '../print-page.ts';
import { reportSettingsQuery } from '../queries.ts';
import classes from './report.module.css';
import { ReportPreview } from './report-preview.tsx';
import { ReportSettings } from './report-settings.tsx';

/** A publication as it is printed, with its settings for those who publish it. */
export function ReportPage({ slug }: { slug: string }) {
  const { data: publication } = useSuspenseQuery(publicationQuery(slug));
  const { features } = useSession();
  const isEditable = publication.permissions.includes('edit') && features?.publish?.enabled === true;
  const settings = useQuery({ ...reportSettingsQuery(publication.id), enabled: isEditable });
  const sections = useEnabledParts().flatMap(({ loaded }) => loaded.reportSections ?? []);
  const isSided = isEditable || sections.length > 0;
  const [isSaving, setSaving] = useState(false);
  const cells = useMemo(() => cellsOf(publication.html), [publication.html]);
  return (
    <Page
      width="wide"
      title={publication.title}
      description={
        <>
          Report of{' '}
          <TextLink to={readingRoute(publication.content_kind)} params={{ slug }} search={{}}>
            version {publication.shown_version.number}
          </TextLink>
        </>
      }
      actions={<Actions publication={publication} />}
    >
      {isEditable && (
        <a href="#print-settings" className={classes.jump}>
          Print settings
        </a>
      )}
      <div className={classes.columns} data-sided={isSided || undefined}>
        {(!isEditable || settings.isFetched) && (
          <ReportPreview
            id={publication.id}
            printed={`${publication.version_id} ${publication.updated_at} ${settings.data?.updated_at ?? ''}`}
            isSaving={isSaving}
            cells={cells}
          />
        )}
        {isSided && (
          <div className={classes.side} id="print-settings">
            {isEditable &&
              (settings.data ? (
                <ReportSettings
                  settings={settings.data}
                  publicationTitle={publication.title}
                  hasCover={publication.cover_image !== null}
                  cells={cells}
                  onSaving={setSaving}
                />
              ) : (
                <Skeleton height={520} />
              ))}
            {sections.map(({ id, component: Section }) => (
              <Suspense key={id} fallback={<Skeleton height={120} />}>
                <Section publication={publication} />
              </Suspense>
            ))}
          </div>
        )}
      </div>
    </Page>
  );
}

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

function Actions({ publication: { id } }: { publication: PublicationDetail }) {
  const download = useDownload(id);
  const print = useMutation({
    mutationFn: () => printHere(id),
    onError: (error) => toastError(error, 'Could not print'),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter {...icon} />}
        loading={print.isPending}
        onClick={() => print.mutate()}
      >
        Print
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            leftSection={<IconDownload {...icon} />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            loading={download.isPending}
          >
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => download.mutate('pdf')}>PDF</Menu.Item>
          <Menu.Item onClick={() => download.mutate('png')}>PNG picture</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

export function NoReport() {
  return (
    <Problem
      title="This report is not available"
      actions={
        <LinkButton to="/reports" search={{}} variant="default">
          Go to reports
        </LinkButton>
      }
    >
      It may have been unpublished.
    </Problem>
  );
}
