import { type ChildProcess, fork } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { confinement } from '../confinement.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { findChromium } from './find-chromium.ts';
import type { FromWorker, PageAnswer, PageParts, Rendered, RenderJob, ToWorker } from './messages.ts';

export type { PageParts, Rendered, RenderJob } from './messages.ts';

interface RendererOptions {
  /** Chromium may write to this folder. */
  folder: string;
  origin: string;
  chromiumPath: string | null;
  log: Log;
  /** The answer of this server to a page's request to its own address, without a session. */
  answer(path: string): Promise<PageAnswer>;
  atOnce?: number;
  mostWaiting?: number;
  /** The time a job waits for its turn, unless the job has its own. */
  waitMs?: number;
  idleMs?: number;
}

/** The people for whom a document is rendered, so that the places are shared. */
export interface RenderShare {
  /** The content's owner and the requester: each has one place at a time. */
  people: string[];
  /** Readers leave one place to those who work on a project. */
  isReader: boolean;
  waitMs?: number;
}

export interface Renderer {
  /** Has one deadline for everything, which starts now and includes the wait. */
  render(
    job: RenderJob & { share?: RenderShare },
    onProgress?: (parts: PageParts) => void,
    timeMs?: number,
  ): Promise<Rendered>;
  /** The current process. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** The reason why there is no document, worded for its author. */
export class RenderFailure extends AppError {
  /** Whether trying again can help. */
  readonly isTransient: boolean;
  readonly cellIds: string[];
  constructor(reason: string, { isTransient = false, cellIds = [] as string[] } = {}) {
    super(isTransient ? 'service_unavailable' : 'unprocessable_entity', reason, {
      details: { reason: 'not_rendered', cell_ids: cellIds },
    });
    this.isTransient = isTransient;
    this.cellIds = cellIds;
  }
}

const noBrowser = () =>
  new AppError(
    'not_implemented',
    'This server has no browser to make PDFs with. Install Chromium on it, or set CHROMIUM_PATH. Printing from your own browser works.',
    { details: { reason: 'no_renderer' } },
  );

const busy = (reason: string) => new RenderFailure(reason, { isTransient: true });
const busyPerson = () =>
  busy('Another document of the same person is being drawn, and one at a time is. Try again when it is ready.');
const busyServer = () => busy('Too many reports are being drawn just now. Try again in a moment.');

const stopping = () => new RenderFailure('The server is stopping.', { isTransient: true });

interface Waiting {
  job: RenderJob;
  share: RenderShare;
  until: number;
  /** The timer that ends its wait. */
  patience: NodeJS.Timeout;
  /** The renderer has already ended once while it rendered this. */
  isRetried: boolean;
  onProgress(parts: PageParts): void;
  resolve(rendered: Rendered): void;
  reject(error: Error): void;
}

const main = join(import.meta.dirname, 'worker.ts');
const usualTime = 90_000;
const usualWait = 15_000;
const mostWaitingOfPerson = 5;
/** A worker that does not answer is ended after this time. */
const grace = 3_000;

/** One Chromium in a process of its own, a few pages at a time. It ends when it is idle or past its time. */
export function createRenderer(options: RendererOptions): Renderer {
  const { atOnce = 3, mostWaiting = 50, waitMs = usualWait, idleMs = 120_000, log } = options;
  const running = new Map<number, Waiting & { timer: NodeJS.Timeout }>();
  const waiting: Waiting[] = [];
  let worker: ChildProcess | null = null;
  let starting: Promise<ChildProcess> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let isStopped = false;

  async function start(): Promise<ChildProcess> {
    const browser = findChromium(options.chromiumPath);
    if (!browser) throw noBrowser();
    await rm(options.folder, { recursive: true, force: true });
    await mkdir(options.folder, { recursive: true });
    const fonts = ['/etc/fonts', '/etc/chromium', '/etc/chromium.d', '/etc/alternatives', '/var/cache/fontconfig'];
    const confined = confinement({ readable: [...fonts, dirname(browser)], writable: options.folder });
    const isConfined = confined.length > 0;
    // The confined process runs as another user.
    if (isConfined) await chmod(options.folder, 0o777);
    if (isStopped) throw stopping();
    const [program = process.execPath, ...first] = [...confined, process.execPath];
    const child = fork(main, {
      // The process gets no environment variable of ours.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: options.folder, TMPDIR: options.folder, LANG: 'C.UTF-8' },
      execPath: program,
      execArgv: first,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    worker = child;
    child.on('message', (message: FromWorker) => hear(child, message));
    child.on('error', () => lose(child));
    child.on('exit', () => lose(child));
    say(child, {
      type: 'setup',
      setup: {
        origin: options.origin,
        browser,
        // A sandbox within one has no rights of its own to give up; root has none to begin with.
        hasOwnSandbox: !isConfined && process.getuid?.() !== 0,
      },
    });
    return child;
  }

  const say = (child: ChildProcess, message: ToWorker) => child.connected && child.send(message, () => {});

  const hasPlace = ({ people }: RenderShare) =>
    !running.values().some(({ share }) => share.people.some((person) => people.includes(person)));

  function takeNext(): Waiting | undefined {
    if (running.size >= atOnce || isStopped) return undefined;
    const readers = running.values().reduce((sum, { share }) => sum + Number(share.isReader), 0);
    const isFullOfReaders = readers >= Math.max(1, atOnce - 1);
    const at = waiting.findIndex(({ share }) => hasPlace(share) && !(share.isReader && isFullOfReaders));
    return at === -1 ? undefined : waiting.splice(at, 1)[0];
  }

  async function next(): Promise<void> {
    const task = takeNext();
    if (!task) return;
    clearTimeout(task.patience);
    const id = ++lastId;
    clearTimeout(idle);
    const timer = setTimeout(() => worker && end(worker), Math.max(0, task.until - Date.now()) + grace);
    running.set(id, { ...task, timer });
    starting ??= start().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    try {
      const child = await starting;
      say(child, { type: 'render', id, job: task.job, msLeft: Math.max(1, task.until - Date.now()) });
    } catch (error) {
      settle(id)?.reject(error as Error);
    }
    void next();
  }

  function stopWaiting(task: Waiting): void {
    const at = waiting.indexOf(task);
    if (at === -1) return;
    waiting.splice(at, 1);
    task.reject(hasPlace(task.share) ? busyServer() : busyPerson());
  }

  const waitingOf = (person: string) => waiting.filter(({ share }) => share.people.includes(person)).length;

  function settle(id: number): Waiting | undefined {
    const task = running.get(id);
    clearTimeout(task?.timer);
    running.delete(id);
    if (running.size === 0) {
      idle = setTimeout(() => worker && end(worker), idleMs);
      idle.unref();
    }
    void next();
    return task;
  }

  function hear(child: ChildProcess, message: FromWorker): void {
    if (message.type === 'ask')
      options.answer(message.path).then(
        (answer) => say(child, { type: 'answer', id: message.id, answer }),
        (error: unknown) => {
          log.error({ error }, 'A page to print was not answered');
          say(child, { type: 'answer', id: message.id, answer: { status: 500, headers: {}, body: Buffer.alloc(0) } });
        },
      );
    else if (message.type === 'progress') running.get(message.id)?.onProgress(message.parts);
    else if (message.type === 'done')
      settle(message.id)?.resolve({ ...message.rendered, body: Buffer.from(message.rendered.body) });
    else settle(message.id)?.reject(new RenderFailure(message.reason, message));
  }

  /**
   * The worker has ended, by itself or by us. A document that it rendered alone is to blame and fails; documents rendered
   * beside others are tried once more.
   */
  function lose(child: ChildProcess): void {
    if (worker !== child) return;
    worker = null;
    starting = null;
    const lost = [...running.values()];
    for (const { timer } of lost) clearTimeout(timer);
    running.clear();
    const isRetried = (task: Waiting) => lost.length > 1 && !task.isRetried && task.until > Date.now();
    for (const task of lost)
      if (isRetried(task)) waiting.unshift({ ...task, isRetried: true });
      else task.reject(busy('The renderer was stopped while it drew this. Try again.'));
    for (let left = atOnce; left > 0; left--) void next();
  }

  const end = (child: ChildProcess): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });

  return {
    get pid() {
      return worker?.pid ?? null;
    },
    render({ share = { people: [], isReader: false }, ...job }, onProgress = () => {}, timeMs = usualTime) {
      if (isStopped) return Promise.reject(stopping());
      if (waiting.length >= mostWaiting) return Promise.reject(busyServer());
      if (share.people.some((person) => waitingOf(person) >= mostWaitingOfPerson)) return Promise.reject(busyPerson());
      return new Promise((resolve, reject) => {
        const patience = setTimeout(() => stopWaiting(task), share.waitMs ?? waitMs);
        const until = Date.now() + timeMs;
        const task: Waiting = { job, share, until, patience, isRetried: false, onProgress, resolve, reject };
        waiting.push(task);
        void next();
      });
    },
    async stop() {
      isStopped = true;
      clearTimeout(idle);
      for (const { reject, patience } of waiting.splice(0)) {
        clearTimeout(patience);
        reject(stopping());
      }
      if (worker) await end(worker);
      await rm(options.folder, { recursive: true, force: true });
    },
  };
}
