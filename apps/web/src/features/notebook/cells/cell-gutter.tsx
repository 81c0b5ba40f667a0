import type { DocumentCell } from '@atoll/contract';
import { runs } from '@atoll/notebook';
import { Loader, Tooltip, UnstyledButton } from '@mantine/core';
import { IconGripVertical, IconPlayerPlayFilled, IconPlayerStopFilled, IconX } from '@tabler/icons-react';
import { memo, type PointerEvent } from 'react';
import { run } from '../actions.ts';
import { isEnded } from '../model.ts';
import { useNotebook, useNotebookMode, useQueued, useShown } from '../notebook-context.tsx';
import classes from './cell.module.css';
import { Faces } from './faces.tsx';
import { useDragHandle } from './use-drag.ts';

/** The gutter beside a cell: run button, state, people in the cell, and the handle to move it. */
export function CellGutter({ id, cell }: { id: string; cell: DocumentCell }) {
  const mode = useNotebookMode();
  const drag = useDragHandle(id);
  return (
    <div className={classes.gutter}>
      <Faces id={id} />
      {runs(cell.type) && <RunSpot id={id} />}
      {mode === 'edit' && (
        <span className={classes.handle} title="Drag to move" {...drag}>
          <IconGripVertical size={14} aria-hidden />
        </span>
      )}
    </div>
  );
}

/** Captures the pointer, because growing outputs above can move the button away between pressing and releasing it. */
const movesWhilePressed = {
  onPointerDown: ({ currentTarget, pointerId }: PointerEvent) => currentTarget.setPointerCapture(pointerId),
};

function RunSpot({ id }: { id: string }) {
  const { store } = useNotebook();
  const mode = useNotebookMode();
  const shown = useShown(id);
  const { entry: queued, place, isAsked } = useQueued(id);
  // The cell leaves the queue a moment after its execution has ended.
  const isOver = shown.execution !== null && isEnded(shown.execution) && shown.execution.id === queued?.id;
  const entry = isOver ? null : queued;
  const isRunning = entry?.state === 'running' || (shown.execution !== null && !isEnded(shown.execution) && !!entry);
  const isWaiting = entry?.state === 'waiting';
  const isBusy = isRunning || isWaiting || isAsked;
  const mayRun = mode !== 'view';
  const count = shown.execution_count;
  if (isRunning) {
    return (
      <div className={classes.runSpot} data-busy>
        <Tooltip label="Stop">
          <UnstyledButton
            className={classes.run}
            data-state="running"
            aria-label="Interrupt cell"
            disabled={!mayRun}
            {...movesWhilePressed}
            onClick={() => void (entry ? store.interruptOne(entry.id) : store.interrupt())}
          >
            <Spinner />
          </UnstyledButton>
        </Tooltip>
      </div>
    );
  }
  if (isWaiting && entry) {
    return (
      <div className={classes.runSpot} data-busy>
        <Tooltip label={`Queued, position ${place + 1}. Click to cancel.`}>
          <UnstyledButton
            className={classes.run}
            data-state="waiting"
            aria-label={`Queued, position ${place + 1}. Cancel`}
            disabled={!mayRun}
            {...movesWhilePressed}
            onClick={() => void store.cancel([entry.id])}
          >
            <Waiting place={place + 1} />
          </UnstyledButton>
        </Tooltip>
      </div>
    );
  }
  return (
    <div className={classes.runSpot} data-busy={isBusy || undefined}>
      {(count !== null || !mayRun) && (
        <span
          className={classes.count}
          data-state={shown.execution?.state}
          data-runnable={mayRun || undefined}
          title={count === null ? undefined : 'Execution count'}
        >
          {count === null ? '' : `[${count}]`}
        </span>
      )}
      {mayRun && <RunButton id={id} isAsked={isAsked && !isOver} />}
    </div>
  );
}

/** Memoised, because drawing its tooltip for each change of the cell number is expensive. */
const RunButton = memo(function RunButton({ id, isAsked }: { id: string; isAsked: boolean }) {
  const { store, ui } = useNotebook();
  return (
    <Tooltip label="Run cell (Shift Enter)" openDelay={500}>
      <UnstyledButton
        className={classes.run}
        aria-label="Run cell"
        onClick={() => {
          ui.focus(id, ui.getActive() === id ? ui.getMode() : 'command');
          run({ store, ui }, [id]);
        }}
      >
        {isAsked ? <Loader size={13} color="currentColor" /> : <IconPlayerPlayFilled size={13} />}
      </UnstyledButton>
    </Tooltip>
  );
});

function Spinner() {
  return (
    <span style={{ position: 'relative', display: 'grid', placeItems: 'center' }}>
      <Loader size={20} color="currentColor" />
      <IconPlayerStopFilled size={9} style={{ position: 'absolute' }} />
    </span>
  );
}

const Waiting = ({ place }: { place: number }) => (
  <span style={{ display: 'flex', alignItems: 'center' }}>
    {place}
    <IconX size={10} aria-hidden />
  </span>
);
