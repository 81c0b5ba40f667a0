import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { personName } from '@atoll/contract/users/names';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { api } from '../../../platform/client.ts';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { When } from '../../../ui/when.tsx';
import { actWords } from '../model.ts';
import classes from './sharing.module.css';

/** Who did what with it, for whoever answers for it; asked for when it is unfolded. */
export function Activity({ project }: { project: ProjectDetail }) {
  const { data, error } = useQuery(api.sharing.activity.queryOptions({ input: { id: project.id }, staleTime: 0 }));
  if (error) return <NothingHere>{messageOf(error)}</NothingHere>;
  if (!data) return <Skeleton height={80} />;
  return (
    <Rows label="Activity">
      {data.entries.map((entry) => (
        <li key={entry.id} className={classes.act}>
          <span>
            <strong>{entry.user ? personName(entry.user) : 'Deleted user'}</strong>{' '}
            {actWords[entry.action] ?? entry.action}
            {entry.subject && entry.subject.id !== entry.user?.id && `: ${personName(entry.subject)}`}
          </span>
          <When time={entry.created_at} />
        </li>
      ))}
    </Rows>
  );
}
