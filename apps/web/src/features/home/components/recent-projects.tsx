import { Button, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../platform/api-error.ts';
import { TextLink } from '../../../ui/links.tsx';
import { Panel } from '../../../ui/page.tsx';
import { When } from '../../../ui/when.tsx';
import { NewProjectButton } from '../../projects/components/new-project-button.tsx';
import { kindWords } from '../../projects/kinds.ts';
import { askNewProject } from '../../projects/new-project.ts';
import { recentProjectsQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import classes from './recent-projects.module.css';

/** Where one left off. */
export function RecentProjects() {
  const { features } = useSession();
  const isOn = features?.projects?.enabled === true;
  const { data, error } = useQuery({ ...recentProjectsQuery, enabled: isOn });
  if (!isOn) return null;
  const entries = data?.entries;
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
        <Text c="dimmed">{messageOf(error)}</Text>
      ) : entries?.length === 0 ? (
        <div className={classes.empty}>
          <Text c="dimmed">A project keeps code, data and notes together, with every version of each file.</Text>
          <NewProjectButton size="xs" />
        </div>
      ) : (
        <ul className={classes.list}>
          {entries
            ? entries.map(({ id, name, kind, updated_at }) => {
                const Icon = kindWords[kind].icon;
                return (
                  <li key={id}>
                    <Link to="/projects/$projectId" params={{ projectId: id }} className={classes.project}>
                      <Icon size={17} stroke={1.6} aria-hidden />
                      <span className={classes.name}>{name}</span>
                      <span className={classes.time}>
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
