import type { CellShown, Notebook as NotebookEntity } from '@atoll/contract';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { getConnection, onConnection } from '../../../platform/realtime/connection.ts';
import { type Subscription, subscribe, type TopicHandlers } from '../../../platform/realtime/realtime.ts';
import { RetryButton } from '../../../ui/problem.tsx';
import { toast, toastError, toastProblem } from '../../../ui/toast.ts';
import { windowTag } from '../../collaboration/window-tag.ts';
import { downloadUrl } from '../../files/addresses.ts';
import { DownloadButton } from '../../files/download-button.tsx';
import { PageNotice } from '../../files/page-notice.tsx';
import { projectQuery } from '../../projects/queries.ts';
import { useSession } from '../../session/queries.ts';
import type { Command } from '../commands.ts';
import { TextsOf } from '../markdown/text-place.tsx';
import { NotebookContext, type OpenNotebook } from '../notebook-context.tsx';
import { setOpenNotebook } from '../open.ts';
import { notebookQuery } from '../queries.ts';
import { refusalWords } from '../refusal.ts';
import { NotebookStore } from '../store.ts';
import { NotebookUi } from '../ui-state.ts';
import { keepUnsent, takeUnsent } from '../unsent/unsent.ts';
import { NotebookSkeleton } from './notebook-skeleton.tsx';
import { noticeLongRun } from './notice-long-run.ts';
import { whereStopped } from './where-stopped.ts';

export interface NotebookData {
  file: ProjectFile;
  /** The answer of `notebookQuery`, which the parent sends before the code of this view is loaded. */
  data: NotebookEntity | undefined;
  error: unknown;
  onText?: () => void;
  onRetry(): void;
}

interface NotebookProviderProps extends NotebookData {
  /** The commands of the view, for the command palette. */
  commands?: readonly Command[];
  children: ReactNode;
}

const none: readonly Command[] = [];

/** An open notebook, live: its store, its topic and its unsent edits. Its children draw it. */
export function NotebookProvider({ commands = none, children, ...notebook }: NotebookProviderProps) {
  const { file, data, error } = notebook;
  const open = useOpenNotebook(file, data, commands);
  if (error && !data) return <CannotOpen {...notebook} />;
  if (!open) return <NotebookSkeleton />;
  return (
    <NotebookContext value={open}>
      <TextsOf file={file}>{children}</TextsOf>
    </NotebookContext>
  );
}

function CannotOpen({ file, error, onText, onRetry }: NotebookData) {
  const isBroken = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <PageNotice
      title={isBroken ? 'Could not open this notebook' : 'Could not load the notebook'}
      action={
        isBroken ? (
          <div style={{ display: 'flex', gap: 8 }}>
            {onText && <Button onClick={onText}>Open raw file</Button>}
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
/** After this time without a connection the edits are sent when the notebook is opened again. */
const longestLeave = 10 * 60_000;

/** Closed notebooks with unsent edits, each with a function that leaves it at once. */
const leaving = new Map<string, () => void>();

/** Leaves the topic after the edits are saved, although another page may be open already. */
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

/** Work after a quiet moment runs at once, to be drawn with the next frame; a flood is processed once for each frame. */
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

function useOpenNotebook(
  file: ProjectFile,
  data: NotebookEntity | undefined,
  commands: readonly Command[],
): OpenNotebook | null {
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
    // The notebook was opened again: this store sends the edits that the closed one has not sent.
    leaving.get(fileId)?.();
    let heard = 0;
    const reload = async () => {
      const query = notebookQuery(projectId, fileId);
      const before = heard;
      const fresh = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch((error: unknown) => {
        toastError(error, 'Could not reload the notebook');
        return null;
      });
      // The answer may lack events that were received while it was loaded.
      if (fresh && heard !== before) setTimeout(reload, reloadPauseMs);
      if (fresh) store.load(fresh);
    };
    const store = new NotebookStore({
      me,
      tag: windowTag(),
      notify: (message, isError, cause) => (isError ? toastError(new Error(message, { cause })) : toast(message)),
      reload: () => void reload(),
      schedule: scheduler(),
      onExecuted: (cellId: string, shown: CellShown) => {
        noticeLongRun(file.name, shown, me, () => ui.reveal(cellId));
        const stopped = whereStopped(store, cellId, shown);
        if (stopped) toastProblem(stopped, 'Go to cell', () => ui.goTo(cellId, 'nearest'));
      },
      onUnsent: () => keeping.changed(),
    });
    const place = { me, projectId, fileId };
    const keeping = keepUnsent(() => store, place, windowTag());
    store.load(notebook);
    void takeUnsent(place, windowTag()).then((unsent) => unsent && store.restore(unsent));
    const ui = new NotebookUi(store);
    type Joined = Parameters<NonNullable<TopicHandlers<'notebook'>['onJoined']>>;
    let subscription: Subscription<'notebook'> | null = null;
    const joined = (...[{ mode }, isGap]: Joined) => {
      // Another view of it left a moment ago: this one joins the topic before this call returns.
      if (!subscription) return queueMicrotask(() => joined({ mode }, isGap));
      // The project is loaded again, because its parts of the page depend on the same rights.
      if (mode !== store.mode) void queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
      store.connected(subscription, mode);
      if (isGap) void reload();
    };
    subscription = subscribe(
      'notebook',
      { projectId, fileId },
      {
        lastSeen: notebook.position,
        on: counted(store.on, () => {
          heard += 1;
        }),
        onJoined: joined,
        onLost: (error) => (error.reason ? store.lost(refusalWords(error)) : store.disconnected()),
      },
    );
    // Edits wait here while there is no connection, and are sent as one after it.
    const listening = onConnection(() => !getConnection().isOpen && store.disconnected());
    const opened = { store, ui, projectId, fileId, name: file.name };
    setOpen(opened);
    setOpenNotebook({ notebook: opened, commands });
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
        subscription?.leave();
        store.disconnected();
        keeping.end();
      });
    };
  }, [projectId, fileId, me, queryClient, isThere, file.name, commands]);
  return open?.fileId === fileId ? open : null;
}
