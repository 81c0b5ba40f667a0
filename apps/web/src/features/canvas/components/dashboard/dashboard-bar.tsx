import { Button, Menu } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronDown,
  IconLayoutGrid,
  IconRefresh,
} from '@tabler/icons-react';
import { type RefObject, useEffect, useState } from 'react';
import { readLocal, writeLocal } from '../../../../platform/storage.ts';
import { IconButton } from '../../../../ui/buttons/icon-button.tsx';
import { When } from '../../../../ui/when.tsx';
import { useNotebook, useNotebookMode, useSignal } from '../../../notebook/notebook-context.tsx';
import { SaveState } from '../../../notebook/toolbar/save-state.tsx';
import type { Dashboard } from '../../dashboard.ts';
import classes from './dashboard.module.css';

const intervals = [
  [0, 'Off'],
  [30, 'Every 30 seconds'],
  [60, 'Every minute'],
  [300, 'Every 5 minutes'],
  [900, 'Every 15 minutes'],
  [3_600, 'Every hour'],
] as const;

interface DashboardBarProps {
  dashboard: Dashboard;
  page: RefObject<HTMLDivElement | null>;
  isEditing: boolean;
}

export function DashboardBar({ dashboard, page, isEditing }: DashboardBarProps) {
  const mode = useNotebookMode();
  const isFull = useFullScreen();
  const toggleFull = () => {
    if (isFull) void document.exitFullscreen();
    else void page.current?.requestFullscreen?.().catch(() => {});
  };
  const words = isFull ? 'Leave full screen' : 'Full screen';
  return (
    <div className={classes.bar} role="toolbar" aria-label="Dashboard">
      <Refresh />
      <div className={classes.spring} />
      {mode === 'edit' && <SaveState />}
      {mode === 'edit' && !isFull && (
        <Button
          size="compact-sm"
          className={classes.edit}
          variant={isEditing ? 'filled' : 'default'}
          leftSection={<IconLayoutGrid size={15} stroke={1.6} />}
          onClick={() => dashboard.setEditing(!isEditing)}
        >
          {isEditing ? 'Done' : 'Edit layout'}
        </Button>
      )}
      <IconButton label={words} size={28} onClick={toggleFull}>
        {isFull ? <IconArrowsMinimize size={16} stroke={1.6} /> : <IconArrowsMaximize size={16} stroke={1.6} />}
      </IconButton>
    </div>
  );
}

function useFullScreen(): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const note = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', note);
    return () => document.removeEventListener('fullscreenchange', note);
  }, []);
  return isFull;
}

/** People with the right to run code run all cells; viewers reload the outputs. The label says which. */
function Refresh() {
  const { store, fileId } = useNotebook();
  const mode = useNotebookMode();
  const key = `dashboard_refresh:${fileId}`;
  const [every, setEvery] = useState(() => intervals.find(([each]) => String(each) === readLocal(key))?.[0] ?? 0);
  const isBusy = useSignal(store, 'queue', () => store.getQueue().length > 0);
  const mayRun = mode !== 'view';
  const choose = (seconds: typeof every) => {
    setEvery(seconds);
    writeLocal(key, seconds === 0 ? null : String(seconds));
  };
  useEffect(() => {
    if (every === 0) return;
    const timer = setInterval(() => {
      // A refresh is skipped while the page is hidden, and while a run in progress will bring newer outputs anyway.
      if (document.hidden || store.getQueue().length > 0) return;
      if (mayRun) void store.runAll();
      else store.options.reload();
    }, every * 1_000);
    return () => clearInterval(timer);
  }, [every, mayRun, store]);
  const act = mayRun ? 'Run all' : 'Reload';
  const interval = intervals.find(([each]) => each === every)?.[1].toLowerCase();
  return (
    <>
      <Button.Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} stroke={1.8} className={isBusy ? classes.turning : undefined} />}
          disabled={isBusy}
          onClick={() => (mayRun ? void store.runAll() : store.options.reload())}
        >
          {act}
        </Button>
        <Menu position="bottom-start" width={220}>
          <Menu.Target>
            <Button size="compact-sm" variant="default" px={5} aria-label="Refresh automatically">
              <IconChevronDown size={14} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{mayRun ? 'Run all cells automatically' : 'Reload results automatically'}</Menu.Label>
            {intervals.map(([seconds, label]) => (
              <Menu.Item key={seconds} fw={seconds === every ? 600 : undefined} onClick={() => choose(seconds)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
      <span className={classes.state} role="status">
        {isBusy ? 'Running' : <LastRun />}
        {every > 0 && ` · ${mayRun ? 'Runs' : 'Reloads'} ${interval}`}
      </span>
    </>
  );
}

/** The time of the newest execution among the shown cells. */
function LastRun() {
  const { store } = useNotebook();
  // Each execution leaves the queue when it ends, so the queue's signal is enough.
  const time = useSignal(store, 'queue', () => {
    const ends = store.getOrder().flatMap((id) => store.getShown(id).execution?.ended_at ?? []);
    return ends.sort().at(-1) ?? null;
  });
  return time ? (
    <>
      Updated <When time={time} />
    </>
  ) : (
    'Not run yet'
  );
}
