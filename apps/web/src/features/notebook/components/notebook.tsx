import type { CellShown, Notebook as NotebookEntity } from '@atoll/contract';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { getConnection, onConnection } from '../../../platform/realtime/connection.ts';
import { subscribe } from '../../../platform/realtime/realtime.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { toast, toastError } from '../../../ui/toast.ts';
import { useLobby } from '../../collaboration/components/lobby-context.tsx';
import { windowTag } from '../../collaboration/window-tag.ts';
import { downloadUrl } from '../../files/addresses.ts';
import { DownloadButton } from '../../files/components/download-button.tsx';
import { PageNotice } from '../../files/components/page-notice.tsx';
import { OutputsContext, type OutputsPlace } from '../../outputs/components/outputs-context.tsx';
import { projectQuery } from '../../projects/queries.ts';
import { takeRunOnOpen } from '../../projects/run-on-open.ts';
import { useSession } from '../../session/queries.ts';
import { commands, keysOf } from '../commands.ts';
import { TextsOf } from '../markdown/text-place.tsx';
import { type NotebookAction, setOpenNotebook } from '../open.ts';
import { notebookQuery } from '../queries.ts';
import { refusalWords } from '../store/refusal.ts';
import { NotebookStore } from '../store.ts';
import { NotebookUi } from '../ui-state.ts';
import { keepUnsent, takeUnsent } from '../unsent.ts';
import { CellList } from './cell-list.tsx';
import { CommentMarks } from './comment-marks.tsx';
import { KeptTexts } from './kept-texts.tsx';
import classes from './notebook.module.css';
import { NotebookContext, type OpenNotebook, useNotebook, useNotebookMode, useSignal } from './notebook-context.tsx';
import { NotebookSkeleton } from './notebook-skeleton.tsx';
import { noticeLongRun } from './notice-long-run.ts';
import { Toolbar } from './toolbar.tsx';
import { useAskedCell } from './use-asked-cell.ts';
import { useKeys } from './use-keys.ts';

const SidePanels = lazy(() => import('./side-panels.tsx').then((module) => ({ default: module.SidePanels })));
const WidgetOutput = lazy(() =>
  import('../widgets/widget-output.tsx').then((module) => ({ default: module.WidgetOutput })),
);
const PastView = lazy(() => import('./past-view.tsx').then((module) => ({ default: module.PastView })));
const HelpSheet = lazy(() => import('./help-sheet.tsx').then((module) => ({ default: module.HelpSheet })));

interface NotebookProps {
  file: ProjectFile;
  data: NotebookEntity | undefined;
  error: unknown;
  onRaw(): void;
  onRetry(): void;
}

/** An open notebook, live. */
export function Notebook({ file, data, error, onRaw, onRetry }: NotebookProps) {
  const open = useOpenNotebook(file, data);
  if (error && !data) return <CannotOpen file={file} error={error} onRaw={onRaw} onRetry={onRetry} />;
  if (!open) return <NotebookSkeleton />;
  return (
    <NotebookContext value={open}>
      <TextsOf file={file}>
        <DeskOrPast file={file} />
      </TextsOf>
    </NotebookContext>
  );
}

function CannotOpen({ file, error, onRaw, onRetry }: Omit<NotebookProps, 'data'>) {
  const isBroken = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <PageNotice
      title={isBroken ? 'Could not open this notebook' : 'Could not load the notebook'}
      action={
        isBroken ? (
          <div style={{ display: 'flex', gap: 8 }}>
            <Button onClick={onRaw}>Open raw file</Button>
            <DownloadButton href={downloadUrl(file)} />
          </div>
        ) : (
          <RetryButton onClick={onRetry} />
        )
      }
    >
      {messageOf(error)}
    </PageNotice>
  );
}

const quietMs = 40;
const reloadPauseMs = 300;
const leaveCheckMs = 250;
/** Whoever is away from the network for longer finds it when they open the notebook again. */
const longestLeave = 10 * 60_000;

/** Notebooks that are closed and have something to send, each with how to leave it at once. */
const leaving = new Map<string, () => void>();

/** Another page of ours can be open already; what was typed here still goes out. */
function leaveWhenSaved(fileId: string, store: NotebookStore, leave: () => void): void {
  const until = Date.now() + longestLeave;
  const timer = setInterval(() => (store.getSaving().isDone || Date.now() > until) && finish(), leaveCheckMs);
  const finish = () => {
    clearInterval(timer);
    if (leaving.get(fileId) === finish) leaving.delete(fileId);
    leave();
  };
  leaving.set(fileId, finish);
  if (store.getSaving().isDone) finish();
}

function counted<On extends object>(on: On, count: () => void): On {
  const entries = Object.entries(on as Record<string, (payload: never) => void>);
  return Object.fromEntries(
    entries.map(([name, take]) => [
      name,
      (payload: never) => {
        count();
        take(payload);
      },
    ]),
  ) as On;
}

/** What comes after a quiet moment is made ready at once, to be drawn with the next frame; a flood once for each frame. */
function scheduler(): (work: () => void) => void {
  let last = 0;
  return (work) => {
    const isQuiet = performance.now() - last > quietMs;
    last = performance.now();
    if (document.hidden) setTimeout(work, 100);
    else if (isQuiet) queueMicrotask(work);
    else requestAnimationFrame(work);
  };
}

function useOpenNotebook(file: ProjectFile, data: NotebookEntity | undefined): OpenNotebook | null {
  const me = useSession().id;
  const queryClient = useQueryClient();
  const { project_id: projectId, id: fileId } = file;
  const [open, setOpen] = useState<OpenNotebook | null>(null);
  const first = useRef(data);
  first.current = data;
  const isThere = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first answer opens it; later ones are loaded by hand.
  useEffect(() => {
    const notebook = first.current;
    if (!notebook) return;
    // Opened again: what it has not sent is sent from here.
    leaving.get(fileId)?.();
    let heard = 0;
    const reload = async () => {
      const query = notebookQuery(projectId, fileId);
      const before = heard;
      const fresh = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch((error: unknown) => {
        toastError(error, 'Could not reload the notebook');
        return null;
      });
      // What was told meanwhile may not be in it.
      if (fresh && heard !== before) setTimeout(reload, reloadPauseMs);
      if (fresh) store.load(fresh);
    };
    const store = new NotebookStore({
      me,
      tag: windowTag(),
      notify: (message, isError) => (isError ? toastError(new Error(message)) : toast(message)),
      reload: () => void reload(),
      schedule: scheduler(),
      onExecuted: (cellId: string, shown: CellShown) => noticeLongRun(file.name, shown, me, () => ui.reveal(cellId)),
      onUnsent: () => keeping.changed(),
    });
    const place = { me, projectId, fileId };
    const keeping = keepUnsent(() => store, place, windowTag());
    store.load(notebook);
    void takeUnsent(place, windowTag()).then((unsent) => unsent && store.restore(unsent));
    const ui = new NotebookUi(store);
    const subscription = subscribe(
      'notebook',
      { projectId, fileId },
      {
        lastSeen: notebook.position,
        on: counted(store.on, () => {
          heard += 1;
        }),
        onJoined: ({ mode }, isGap) => {
          // What is around the notebook follows, too.
          if (mode !== store.mode) void queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
          store.connected(subscription, mode);
          if (isGap) void reload();
        },
        onLost: (error) => (error.reason ? store.lost(refusalWords(error)) : store.disconnected()),
      },
    );
    // What is typed while nobody hears it waits here, and goes out as one when we are back.
    const listening = onConnection(() => !getConnection().isOpen && store.disconnected());
    const opened = { store, ui, projectId, fileId };
    setOpen(opened);
    setOpenNotebook({ notebook: opened, actions: () => actionsOf(opened) });
    const closing = (event: Event) => {
      store.flush();
      if (!keeping.now()) event.preventDefault();
    };
    const closings = ['beforeunload', 'pagehide'];
    for (const name of closings) addEventListener(name, closing);
    return () => {
      for (const name of closings) removeEventListener(name, closing);
      store.flush();
      setOpenNotebook(null);
      leaveWhenSaved(fileId, store, () => {
        listening();
        subscription.leave();
        store.disconnected();
        keeping.end();
      });
    };
  }, [projectId, fileId, me, queryClient, isThere, file.name]);
  return open?.fileId === fileId ? open : null;
}

/** For the command palette. */
const actionsOf = ({ store, ui }: OpenNotebook): NotebookAction[] =>
  commands.map((command) => ({
    id: `notebook-${command.id}`,
    label: command.label,
    keys: keysOf(command)[0] ?? '',
    run: () => command.run({ store, ui }),
  }));

function DeskOrPast({ file }: { file: ProjectFile }) {
  const { ui } = useNotebook();
  const isPast = useSignal(ui, 'past', ui.getPast);
  useAskedCell();
  if (!isPast) return <Desk />;
  return (
    <div className={classes.notebook} data-notebook>
      <Suspense fallback={<NotebookSkeleton />}>
        <PastView file={file} />
      </Suspense>
    </div>
  );
}

/** The toolbar, the cells and what is open beside them; takes the keys of all of it. */
function Desk() {
  const { ui, store, projectId } = useNotebook();
  const onKeys = useKeys();
  const place = useOutputsPlace();
  useWhereabouts();
  useEffect(() => {
    const [first] = store.getOrder();
    if (ui.getActive() === null && first && matchMedia('(min-width: 48em)').matches) ui.focus(first);
  }, [ui, store]);
  useEffect(() => {
    if (takeRunOnOpen(projectId)) void store.ready().then(() => store.runAll());
  }, [store, projectId]);
  return (
    <div className={classes.notebook} data-notebook onKeyDownCapture={onKeys}>
      <Toolbar />
      <KeptTexts />
      <div className={classes.body}>
        <div data-keys style={{ display: 'contents' }}>
          <OutputsContext value={place}>
            <CommentMarks>
              <CellList />
            </CommentMarks>
          </OutputsContext>
        </div>
        <Beside />
      </div>
      <Help />
    </div>
  );
}

function Beside() {
  const { ui } = useNotebook();
  const panel = useSignal(ui, 'panel', ui.getPanel);
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  if (!panel) return null;
  const content = (
    <Suspense>
      <SidePanels panel={panel} />
    </Suspense>
  );
  if (isNarrow) {
    return (
      <Drawer
        opened
        onClose={() => ui.showPanel(null)}
        position="bottom"
        // What is found is looked at in the cells above.
        size={panel === 'find' ? '45%' : '70%'}
        withOverlay={panel !== 'find'}
        lockScroll={panel !== 'find'}
        styles={{ content: { borderTop: '1px solid var(--line)' } }}
        withCloseButton={false}
        padding={0}
      >
        {content}
      </Drawer>
    );
  }
  return (
    <aside className={classes.panel} aria-label={panel}>
      {content}
    </aside>
  );
}

function Help() {
  const { ui } = useNotebook();
  const isShown = useSignal(ui, 'help', ui.getHelp);
  return <Suspense>{isShown && <HelpSheet onClose={() => ui.showHelp(false)} />}</Suspense>;
}

/** What outputs may ask of this notebook. */
function useOutputsPlace(): OutputsPlace {
  const { store, ui } = useNotebook();
  const mode = useNotebookMode();
  return useMemo(
    () => ({
      loadFrame:
        mode === 'view' ? undefined : (frame_id, query) => store.must().send('get_frame_page', { frame_id, ...query }),
      drawWidget: (modelId) => (
        <Suspense>
          <WidgetOutput store={store} modelId={modelId} />
        </Suspense>
      ),
      goToCell: (count, line) => {
        const id = store.getOrder().find((each) => store.getShown(each).execution_count === count);
        if (!id) return store.options.notify('The cell was run again or deleted since then.');
        const start = offsetOfLine(store.sourceOf(id), line ?? 1);
        ui.focus(id, mode === 'edit' ? 'edit' : 'command', { cursor: { anchor: start, head: start } });
        ui.reveal(id, 'center');
      },
    }),
    [store, ui, mode],
  );
}

const offsetOfLine = (text: string, line: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0);

/** Tells the others which cell I am in. */
function useWhereabouts(): void {
  const { ui } = useNotebook();
  const lobby = useLobby();
  const place = useSignal(ui, 'active', () => `${ui.getActive() ?? ''} ${ui.getMode()}`);
  useEffect(() => {
    const [id, mode] = place.split(' ');
    lobby?.enter(id || null, mode === 'edit');
  }, [lobby, place]);
  useEffect(() => () => lobby?.enter(null, false), [lobby]);
}
