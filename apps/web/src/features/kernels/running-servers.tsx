import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { TextLink } from '../../ui/links.tsx';
import { When } from '../../ui/when.tsx';
import { formatSize } from '../files/model.ts';
import { useSession } from '../session/queries.ts';
import classes from './components/running-servers.module.css';
import { useServersLive } from './live.ts';
import { useStopServer } from './mutations.ts';
import { myServersQuery } from './queries.ts';

/** What of mine is running now, and a way to stop it. */
export function RunningServers() {
  const titleId = useId();
  const session = useSession();
  const { data, error } = useQuery({ ...myServersQuery, staleTime: 0 });
  const stop = useStopServer();
  useServersLive(session.id);
  return (
    // A landmark would be there twice where the page and the bar both show it.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-labelledby={titleId} className={classes.servers}>
      <h2 id={titleId}>Running now</h2>
      {error && <p role="alert">{messageOf(error)}</p>}
      {!data && !error && <Skeleton height={36} />}
      {data?.total === 0 && <p className={classes.none}>Nothing is running.</p>}
      <ul>
        {data?.entries.map((server) => (
          <li key={server.id}>
            <div className={classes.words}>
              {server.project ? (
                <TextLink
                  to="/projects/$projectId"
                  params={{ projectId: server.project.id }}
                  search={{ file: server.file?.id }}
                >
                  {server.file?.name ?? server.project.name}
                </TextLink>
              ) : (
                server.server_name
              )}
              {server.project && server.file && <span>{server.project.name}</span>}
              <span>
                {server.memory_used !== null && `${formatSize(server.memory_used)} of `}
                {formatSize(server.memory)} · <When time={server.started_at} />
              </span>
            </div>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Stop ${server.file?.name ?? server.server_name}`}
              loading={stop.isPending && stop.variables === server.id}
              onClick={() => stop.mutate(server.id)}
            >
              Stop
            </Button>
          </li>
        ))}
      </ul>
      {data && data.total > data.entries.length && (
        <p className={classes.none}>And {data.total - data.entries.length} more.</p>
      )}
    </div>
  );
}
