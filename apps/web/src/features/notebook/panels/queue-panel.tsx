import type { QueuedCell } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { Button, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlayerStopFilled, IconX } from '@tabler/icons-react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useNotebook, useNotebookMode, useOrder, useSignal } from '../notebook-context.tsx';
import { PanelHead } from '../panel-head.tsx';
import classes from './side-panels.module.css';

const icon = { size: 14, stroke: 1.6 };
const small = { size: 24, openDelay: 400 };

/** Running and waiting cells, in their order. */
export function QueuePanel() {
  const { store } = useNotebook();
  const queue = useSignal(store, 'queue', store.getQueue);
  const mayRun = useNotebookMode() !== 'view';
  const waiting = queue.filter(({ state }) => state === 'waiting');
  const running = queue.length - waiting.length;
  return (
    <>
      <PanelHead id="queue" title="Queue">
        {mayRun && waiting.length > 1 && (
          <Button size="compact-xs" variant="default" onClick={() => void store.cancel(waiting.map(({ id }) => id))}>
            Cancel all
          </Button>
        )}
        {mayRun && running > 1 && (
          <Button size="compact-xs" variant="default" onClick={() => void store.interrupt()}>
            Interrupt all
          </Button>
        )}
      </PanelHead>
      {queue.length === 0 && <p className={classes.empty}>Nothing is running or queued.</p>}
      <ol className={classes.list}>
        {queue.map((entry, place) => (
          <Queued key={entry.id} entry={entry} place={place + 1} waiting={waiting} mayRun={mayRun} />
        ))}
      </ol>
    </>
  );
}

interface QueuedProps {
  entry: QueuedCell;
  /** The place in the queue, as shown beside the cell. */
  place: number;
  waiting: QueuedCell[];
  mayRun: boolean;
}

function Queued({ entry, place, waiting, mayRun }: QueuedProps) {
  const { store, ui } = useNotebook();
  const order = useOrder();
  const number = order.indexOf(entry.cell_id) + 1;
  const at = waiting.indexOf(entry);
  const isRunning = at < 0;
  const whose = entry.user && entry.user.id !== store.options.me ? `, ${personName(entry.user)}` : '';
  const firstLine = store.sourceOf(entry.cell_id).trim().split('\n')[0];
  return (
    <li className={classes.queued} data-running={isRunning || undefined}>
      <UnstyledButton className={classes.item} onClick={() => ui.goTo(entry.cell_id, 'center')}>
        <code>{firstLine || 'Empty'}</code>
        <small>
          {isRunning ? 'Running' : at === 0 ? 'Next' : `Queued, position ${place}`} · cell {number}
          {whose}
        </small>
      </UnstyledButton>
      {mayRun && isRunning && (
        <IconButton {...small} label={`Interrupt cell ${number}`} onClick={() => void store.interruptOne(entry.id)}>
          <IconPlayerStopFilled size={12} />
        </IconButton>
      )}
      {mayRun && !isRunning && (
        <>
          <IconButton
            {...small}
            label={`Move cell ${number} up in the queue`}
            disabled={at === 0}
            onClick={() => void store.moveQueued(entry.id, waiting[at - 2]?.id ?? null)}
          >
            <IconArrowUp {...icon} />
          </IconButton>
          <IconButton
            {...small}
            label={`Move cell ${number} down in the queue`}
            disabled={at === waiting.length - 1}
            onClick={() => void store.moveQueued(entry.id, waiting[at + 1]?.id ?? null)}
          >
            <IconArrowDown {...icon} />
          </IconButton>
          <IconButton
            {...small}
            label={`Remove cell ${number} from the queue`}
            onClick={() => void store.cancel([entry.id])}
          >
            <IconX {...icon} />
          </IconButton>
        </>
      )}
    </li>
  );
}
