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
  /** Where Chromium may write. */
  folder: string;
  origin: string;
  chromiumPath: string | null;
  log: Log;
  /** What this server answers to a page that asks for something of its own address, without a session. */
  answer(path: string): Promise<PageAnswer>;
  atOnce?: number;
  mostWaiting?: number;
  idleMs?: number;
}

export interface Renderer {
  /** One deadline for all of it, from now on, waiting included. */
  render(job: RenderJob, onProgress?: (parts: PageParts) => void, timeMs?: number): Promise<Rendered>;
  /** The process there is now. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/** Why there is no document, in words for its author. */
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

const stopping = () => new RenderFailure('The server is stopping.', { isTransient: true });

interface Waiting {
  job: RenderJob;
  until: number;
  onProgress(parts: PageParts): void;
  resolve(rendered: Rendered): void;
  reject(error: Error): void;
}

const main = join(import.meta.dirname, 'worker.ts');
const usualTime = 90_000;
/** Until a worker that does not answer is ended. */
const grace = 3_000;

/** One Chromium in a process of its own, a few pages at a time. It ends when it is idle or past its time. */
export function createRenderer(options: RendererOptions): Renderer {
  const { atOnce = 2, mostWaiting = 50, idleMs = 120_000, log } = options;
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
    // There it is another user.
    if (isConfined) await chmod(options.folder, 0o777);
    if (isStopped) throw stopping();
    const [program = process.execPath, ...first] = [...confined, process.execPath];
    const child = fork(main, {
      // No variable of ours reaches it.
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

  async function next(): Promise<void> {
    if (running.size >= atOnce || waiting.length === 0 || isStopped) return;
    const task = waiting.shift() as Waiting;
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

  /** It has ended by itself or by us: what it was doing is told, the rest gets a new one. */
  function lose(child: ChildProcess): void {
    if (worker !== child) return;
    worker = null;
    starting = null;
    for (const id of [...running.keys()])
      settle(id)?.reject(
        new RenderFailure('The renderer was stopped while it drew this. Try again.', { isTransient: true }),
      );
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
    render(job, onProgress = () => {}, timeMs = usualTime) {
      if (isStopped || waiting.length >= mostWaiting)
        return Promise.reject(
          new RenderFailure('Too many reports are being drawn just now. Try again in a moment.', { isTransient: true }),
        );
      return new Promise((resolve, reject) => {
        waiting.push({ job, until: Date.now() + timeMs, onProgress, resolve, reject });
        void next();
      });
    },
    async stop() {
      isStopped = true;
      clearTimeout(idle);
      for (const { reject } of waiting.splice(0)) reject(stopping());
      if (worker) await end(worker);
      await rm(options.folder, { recursive: true, force: true });
    },
  };
}
