import type { Delivery } from '@atoll/contract/deliveries/entity';
import { Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiBase } from '../../../platform/http.ts';
import { When } from '../../../ui/when.tsx';
import { kindWords, stateWords, targetWords } from '../model.ts';
import { deliveriesOnPage, deliveriesQuery } from '../queries.ts';
import classes from './deliveries.module.css';

/** Every delivery of a report, newest first; what was sent can be opened again. */
export function DeliveryLog({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const { data } = useQuery({
    ...deliveriesQuery(id, page),
    // One that a schedule began is told to its owner only.
    refetchInterval: ({ state }) => (state.data?.entries.some(({ ended_at }) => ended_at === null) ? 2_000 : false),
  });
  if (!data || data.total === 0) return null;
  const last = Math.ceil(data.total / deliveriesOnPage);
  return (
    <section aria-label="Past deliveries">
      <h3 className={classes.heading}>Past deliveries</h3>
      <ul className={classes.log}>
        {data.entries.map((delivery) => (
          <Entry key={delivery.id} id={id} delivery={delivery} />
        ))}
      </ul>
      {last > 1 && (
        <Group gap="xs" justify="flex-end">
          <Button size="compact-xs" variant="default" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Text size="xs">
            Page {page} of {last}
          </Text>
          <Button size="compact-xs" variant="default" disabled={page >= last} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </Group>
      )}
    </section>
  );
}

function Entry({ id, delivery }: { id: string; delivery: Delivery }) {
  const { state, started_at, trigger, reason, targets, has_file, pages, version_number } = delivery;
  const isGood = state === 'delivered';
  const isUnderWay = state === 'rendering' || state === 'sending';
  return (
    <li>
      <div className={classes.line}>
        <span className={classes.state} data-state={isUnderWay ? undefined : isGood ? 'good' : 'bad'}>
          {isUnderWay ? (
            <Loader size={12} color="currentColor" />
          ) : isGood ? (
            <IconCheck size={15} stroke={2} aria-hidden />
          ) : (
            <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
          )}
          {stateWords[state]}
        </span>
        <span className={classes.detail}>
          <When time={started_at} />
          {trigger === 'schedule' && ' by schedule'}
        </span>
      </div>
      {reason && <span className={classes.detail}>{reason}</span>}
      <details className={classes.more}>
        <summary>
          Version {version_number}
          {pages ? `, ${pages} ${pages === 1 ? 'page' : 'pages'}` : ''}
        </summary>
        <ul>
          {targets.map(({ kind, address, state: targetState, reason: why }) => (
            <li key={`${kind} ${address}`}>
              {kindWords[kind]}: {address} · {targetWords[targetState]}
              {why && targetState !== 'sent' && ` (${why})`}
            </li>
          ))}
        </ul>
        {has_file && (
          <a href={`${apiBase()}/v1/external_publications/${id}/deliveries/${delivery.id}/file`} download>
            Open what was sent
          </a>
        )}
      </details>
    </li>
  );
}
