import { Button, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadProblem } from '../../../ui/empty-state.tsx';
import { TextLink } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { kindWords } from '../../projects/kinds.ts';
import { askNewProject } from '../../projects/new-project.ts';
import { recentProjectsQuery, recentSharedQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import { latest } from '../model.ts';
import classes from './recent-projects.module.css';

/** Where one left off, in one's own projects and in those of others. */
export function RecentProjects() {
  const { id: me, features, is_guest } = useSession();
  const isOn = features?.projects?.enabled === true;
  const { data, error, refetch } = useQuery({ ...recentProjectsQuery, enabled: isOn });
  const shared = useQuery({ ...recentSharedQuery, enabled: isOn && !is_guest });
  if (!isOn) return null;
  const isKnown = data && (shared.data || shared.error || is_guest);
  const entries = isKnown ? latest([data.entries, shared.data?.entries ?? []], 6) : undefined;
  // The templates beside it say how to begin.
  if (!error && entries?.length === 0) return null;
  return (
    <Panel
      title="Recent projects"
      aside={
        entries?.length ? (
          <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} />} onClick={askNewProject}>
            New
          </Button>
        ) : undefined
      }
    >
      {error ? (
        <LoadProblem error={error} onRetry={refetch} />
      ) : (
        <ul className={classes.list}>
          {entries
            ? entries.map(({ id, name, kind, owner, updated_at }) => {
                const Icon = kindWords[kind].icon;
                return (
                  <li key={id}>
                    <Link to="/projects/$projectId" params={{ projectId: id }} className={classes.project}>
                      <Icon size={17} stroke={1.6} aria-hidden />
                      <span className={classes.name}>{name}</span>
                      <span className={classes.time}>
                        {owner.id !== me && `${owner.user_name} · `}
                        <When time={updated_at} />
                      </span>
                    </Link>
                  </li>
                );
              })
            : [1, 2, 3].map((row) => (
                <li key={row} className={classes.project}>
                  <Skeleton height={14} width="60%" />
                </li>
              ))}
        </ul>
      )}
      {data && data.total > 6 && (
        <Text size="sm" mt="sm">
          <TextLink to="/projects">All {data.total.toLocaleString('en')} projects</TextLink>
        </Text>
      )}
    </Panel>
  );
}
