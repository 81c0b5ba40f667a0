import { Button, Menu, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconChevronDown,
  IconCodePlus,
  IconDownload,
  IconEraser,
  IconFold,
  IconHistory,
  IconKeyboard,
  IconListNumbers,
  IconPlayerPlayFilled,
  IconPlayerStopFilled,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import type { InnerPanelEntry } from '../../../platform/features/panel.ts';
import { useDocumentKind } from '../../../platform/features/registry.ts';
import { DotsMenu } from '../../../ui/buttons/dots-menu.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import menus from '../../../ui/styles/menus.module.css';
import { toastError } from '../../../ui/toast.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { EmbedItem } from '../../embeds/embed-item.tsx';
import { ParametersItem } from '../../runs/parameters-item.tsx';
import { RunInBackground } from '../../runs/run-in-background.tsx';
import { ScheduleItem } from '../../schedules/schedule-item.tsx';
import { run, runAndGo, runRange } from '../actions.ts';
import { commands, keysOf } from '../commands.ts';
import { downloadAs } from '../export.ts';
import { capsOf } from '../keys.ts';
import { useKernel, useNotebook, useNotebookMode, useSignal } from '../notebook-context.tsx';
import { useInnerPanels } from '../page/use-inner-panels.ts';
import { sideOfPanel } from '../panels/panel-sides.ts';
import { KernelChip } from './kernel-chip.tsx';
import { NoticeMenu } from './notice-menu.tsx';
import { SaveState } from './save-state.tsx';
import { SnippetsMenu } from './snippets-menu.tsx';
import classes from './toolbar.module.css';

const ParametersDialog = lazyPart(() => import('../../runs/parameters-dialog.tsx'), 'ParametersDialog');
const ScheduleDialog = lazyPart(() => import('../../schedules/schedule-dialog.tsx'), 'ScheduleDialog');

const icon = { size: 16, stroke: 1.6 };
const keys = (id: string): string => {
  const command = commands.find((each) => each.id === id);
  const [first] = command ? keysOf(command) : [];
  return first
    ? capsOf(first)
        .map((press) => press.join(' '))
        .join(', ')
    : '';
};

/** Below this width labels become icons, and the panels are in the menu. */
const tightWidth = 700;

/** The actions for the notebook as a whole. */
export function Toolbar({ withMode = true }: { withMode?: boolean }) {
  const { store, ui, projectId, fileId } = useNotebook();
  const mode = useNotebookMode();
  const acting = { store, ui };
  const mayRun = mode !== 'view';
  const [isScheduling, setScheduling] = useState(false);
  const { ref, width } = useElementSize();
  const isNarrow = useIsNarrow();
  const isTight = isNarrow || (width > 0 && width < tightWidth);
  const [isParametrizing, setParametrizing] = useState(false);
  return (
    <div ref={ref} className={classes.bar} role="toolbar" aria-label="Notebook" data-tight={isTight || undefined}>
      {mayRun && (
        <Button.Group>
          <Tooltip label={`Run all cells (${keys('run-all')})`} openDelay={400}>
            <Button
              size="compact-sm"
              leftSection={<IconPlayerPlayFilled size={12} />}
              onClick={() => void store.runAll()}
              aria-label="Run all"
            >
              <span className={classes.wide}>Run all</span>
            </Button>
          </Tooltip>
          <Menu position="bottom-start" width={260} onClose={ui.focusActive}>
            <Menu.Target>
              <Button size="compact-sm" px={5} aria-label="More ways to run">
                <IconChevronDown size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {mode === 'edit' && (
                <Menu.Item rightSection={keys('run-next')} onClick={() => runAndGo(acting)}>
                  Run cell and go to the next
                </Menu.Item>
              )}
              <Menu.Item rightSection={keys('run')} onClick={() => run(acting, ui.getSelection())}>
                Run selected cells
              </Menu.Item>
              <Menu.Item onClick={() => runRange(acting, 'above')}>Run all above</Menu.Item>
              <Menu.Item onClick={() => runRange(acting, 'below')}>Run cell and all below</Menu.Item>
              <Menu.Divider />
              <Menu.Item onClick={() => void store.runAll(true)}>Restart kernel and run all</Menu.Item>
              <RunInBackground projectId={projectId} fileId={fileId} />
              <ParametersItem onClick={() => setParametrizing(true)} />
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      )}
      {mayRun && <StopButton />}
      {mayRun && (
        <IconButton
          label="Restart kernel"
          tip={`Restart kernel (${keys('restart')})`}
          size={28}
          onClick={() => void store.changeKernel((topic) => topic.send('restart', {}))}
        >
          <IconRefresh {...icon} />
        </IconButton>
      )}
      <QueueButton />
      {mayRun && <span className={classes.divider} />}
      {(withMode || mode !== 'edit') && <ModeMark />}
      {mode === 'edit' && <SnippetsMenu />}
      <div className={classes.spring} />
      <SaveState />
      <KernelChip />
      {useInnerPanels()
        .filter(({ hasButton }) => hasButton)
        .map((panel) => (
          <PanelButton key={panel.id} {...panel} />
        ))}
      <MoreMenu isTight={isTight} onSchedule={() => setScheduling(true)} />
      <Suspense>
        {isScheduling && <ScheduleDialog subject={{ projectId, fileId }} onClose={() => setScheduling(false)} />}
        {isParametrizing && (
          <ParametersDialog
            {...{ projectId, fileId }}
            cells={store.getOrder().flatMap((id) => store.getCell(id) ?? [])}
            onClose={() => setParametrizing(false)}
          />
        )}
      </Suspense>
    </div>
  );
}

function StopButton() {
  const { store } = useNotebook();
  const isIdle = useSignal(store, 'queue', () => store.getQueue().length === 0);
  return (
    <IconButton
      label="Interrupt"
      tip={`Interrupt (${keys('interrupt')})`}
      size={28}
      disabled={isIdle}
      onClick={() => void store.interrupt()}
    >
      <IconPlayerStopFilled size={14} />
    </IconButton>
  );
}

function QueueButton() {
  const { store, ui } = useNotebook();
  const waiting = useSignal(store, 'queue', store.countWaiting);
  const running = useSignal(store, 'queue', store.countRunning);
  if (waiting === 0 && running < 2) return null;
  return (
    <Tooltip label="Queue: change the order or remove cells">
      <Button size="compact-xs" variant="default" className={classes.queue} onClick={() => ui.togglePanel('queue')}>
        {waiting === 0 ? `Running: ${running}` : `Queued: ${waiting}`}
      </Button>
    </Tooltip>
  );
}

/** Shows whether keys type text or run commands. */
function ModeMark() {
  const { ui } = useNotebook();
  const mode = useNotebookMode();
  const writing = useSignal(ui, 'mode', ui.getMode);
  if (mode !== 'edit') return <span className={classes.mode}>{mode === 'view' ? 'View only' : 'Inputs only'}</span>;
  return (
    <span className={classes.mode} data-mode={writing} role="status">
      {writing === 'edit' ? 'Edit' : 'Command'}
    </span>
  );
}

/** A button of a panel; without room for it the menu has the panel. */
function PanelButton({ id, label, icon: Icon }: InnerPanelEntry) {
  const { ui } = useNotebook();
  const shown = useSignal(ui, 'panel', () => ui.getPanel(sideOfPanel(id)));
  return (
    <IconButton
      label={label}
      size={28}
      className={classes.panelButton}
      isPressed={shown === id}
      onClick={() => ui.togglePanel(id)}
    >
      <Icon {...icon} />
    </IconButton>
  );
}

/** Switches parallel runs; disabled with the reason where the kernel does not support them. */
function ParallelSwitch() {
  const { store } = useNotebook();
  const { is_parallel_execution_enabled: isOn } = useSignal(store, 'settings', store.getSettings);
  const { features, session_id } = useKernel();
  const can = features.includes('subshells');
  const words = can
    ? 'Cells you start separately run at the same time, in no particular order.'
    : session_id
      ? 'This kernel runs one cell at a time.'
      : 'Run a cell first: only a running kernel can tell whether it supports this.';
  return (
    <Menu.CheckboxItem
      checked={isOn}
      disabled={!can && !isOn}
      onChange={(is_enabled) =>
        void store.changeSettings((topic) => topic.send('toggle_parallel_execution_enabled', { is_enabled }))
      }
    >
      Run cells in parallel
      <span className={menus.words}>{words}</span>
    </Menu.CheckboxItem>
  );
}

function MoreMenu({ isTight, onSchedule }: { isTight: boolean; onSchedule(): void }) {
  const notebook = useNotebook();
  const { store, ui } = notebook;
  const mode = useNotebookMode();
  const settings = useSignal(store, 'settings', store.getSettings);
  const panels = useInnerPanels();
  const formats = useDocumentKind(notebook.name)?.exports;
  const fold = (part: 'source' | 'outputs', isCollapsed: boolean) =>
    store.command((topic) => topic.send('toggle_all_cells_collapsed', { part, is_collapsed: isCollapsed }));
  return (
    <DotsMenu
      label="Notebook menu"
      size={28}
      icon={icon}
      width={280}
      onClose={ui.focusActive}
      classNames={{ dropdown: classes.more }}
    >
      {isTight &&
        panels
          .filter(({ hasButton }) => hasButton)
          .map(({ id, label, icon: Icon }) => (
            <Menu.Item key={id} leftSection={<Icon {...icon} />} onClick={() => ui.showPanel(id)}>
              {label}
            </Menu.Item>
          ))}
      {isTight && mode === 'edit' && (
        <Menu.Item leftSection={<IconCodePlus {...icon} />} onClick={() => ui.showPanel('snippets')}>
          Snippets
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconListNumbers {...icon} />} onClick={() => ui.showPanel('queue')}>
        Queue
      </Menu.Item>
      {mode === 'edit' && (
        <>
          <Menu.Item
            leftSection={<IconArrowBackUp {...icon} />}
            rightSection={keys('undo')}
            onClick={() => store.undo()}
          >
            Undo cell operation
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => ui.showPanel('bin')}>
            Deleted cells
          </Menu.Item>
          <Menu.Item leftSection={<IconEraser {...icon} />} onClick={() => void store.clean(false)}>
            Clear all outputs
          </Menu.Item>
          <Menu.Sub position="left-start" floatingStrategy="fixed">
            <Menu.Sub.Target>
              <Menu.Sub.Item leftSection={<IconFold {...icon} />}>Fold</Menu.Sub.Item>
            </Menu.Sub.Target>
            <Menu.Sub.Dropdown>
              <Menu.Item onClick={() => void fold('source', true)}>Fold all sources</Menu.Item>
              <Menu.Item onClick={() => void fold('source', false)}>Unfold all sources</Menu.Item>
              <Menu.Item onClick={() => void fold('outputs', true)}>Fold all outputs</Menu.Item>
              <Menu.Item onClick={() => void fold('outputs', false)}>Unfold all outputs</Menu.Item>
            </Menu.Sub.Dropdown>
          </Menu.Sub>
          <Menu.Divider />
          <Menu.CheckboxItem
            checked={settings.is_autorun_after_files_updated}
            onChange={(is_enabled) =>
              void store.changeSettings((topic) => topic.send('toggle_autorun_after_files_updated', { is_enabled }))
            }
          >
            Run all when a file changes
          </Menu.CheckboxItem>
          <ParallelSwitch />
          <Menu.Divider />
        </>
      )}
      <Menu.Item leftSection={<IconHistory {...icon} />} onClick={() => ui.showPast(true)}>
        Show the last successful run
      </Menu.Item>
      {mode !== 'view' && <NoticeMenu />}
      <Menu.Sub position="left-start" floatingStrategy="fixed">
        <Menu.Sub.Target>
          <Menu.Sub.Item leftSection={<IconDownload {...icon} />}>Download as</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>
          {formats?.map(({ format, label }) => (
            <Menu.Item
              key={format}
              onClick={() =>
                downloadAs(notebook, format).catch((error: unknown) => toastError(error, 'Download failed'))
              }
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Sub.Dropdown>
      </Menu.Sub>
      <ScheduleItem projectId={notebook.projectId} onClick={onSchedule} />
      <EmbedItem projectId={notebook.projectId} onClick={() => ui.showEmbed({ cellId: null })} />
      <Menu.Item onClick={() => ui.toggleAllNumbers()} rightSection={keys('lines-all')}>
        Line numbers
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard {...icon} />} rightSection={keys('help')} onClick={() => ui.showHelp(true)}>
        Keyboard shortcuts
      </Menu.Item>
    </DotsMenu>
  );
}
