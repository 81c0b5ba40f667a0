import { type ChildProcess, fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { confinement } from '../confinement.ts';
import { AppError } from '../errors.ts';
import {
  type Answers,
  type FromWorker,
  type Job,
  outOfMemoryExit,
  type Problem,
  TableProblem,
  type ToWorker,
  type WorkerLimits,
} from './jobs.ts';

export interface PoolOptions {
  /** Workers may write here: converted tables, and data that does not fit into memory. */
  folder: string;
  /** Other paths that they may read. */
  readable?: string[];
  memoryMb: number;
  processes?: number;
  /** The number of workers that may run conversions, so that one is always left for short questions. */
  conversions?: number;
  idleMs?: number;
  /** The time limit for each kind of job. */
  timeMs?: Partial<Record<Job['kind'], number>>;
}

interface Waiting {
  job: Job;
  onProgress: (progress: number) => void;
  resolve(answer: Answers[Job['kind']]): void;
  reject(error: Error): void;
}

interface Worker {
  process: ChildProcess;
  spillFolder: string;
  current: Waiting | null;
  /** The file it read last, which it may still have open. */
  path: string | null;
  /** Ends the worker when it is idle, or past its time. */
  timer: NodeJS.Timeout | undefined;
  /** Killed but not yet ended: it gets no more jobs. */
  isEnding: boolean;
}

const main = join(import.meta.dirname, 'worker/main.ts');
const defaultTimes: Record<Job['kind'], number> = {
  convert: 180_000,
  preview: 15_000,
  page: 30_000,
  statistics: 30_000,
};
const maxWaiting = 100;
/** Includes the worker's start, which takes seconds on a busy machine. */
const grace = 10_000;

/** A few processes that read people's files: each has one job at a time, and cannot harm the others. */
export class WorkerPool {
  private readonly options: Required<PoolOptions>;
  private readonly workers = new Set<Worker>();
  private waiting: Waiting[] = [];
  private isStopped = false;
  private confined: string[] | null = null;

  constructor(options: PoolOptions) {
    this.options = { readable: [], processes: 4, conversions: 2, idleMs: 60_000, timeMs: {}, ...options };
  }

  run<Kind extends Job['kind']>(
    job: Extract<Job, { kind: Kind }>,
    onProgress: (progress: number) => void = () => {},
  ): Promise<Answers[Kind]> {
    if (this.isStopped || this.waiting.length >= maxWaiting) return Promise.reject(busy());
    return new Promise<Answers[Job['kind']]>((resolve, reject) => {
      this.waiting.push({ job, onProgress, resolve, reject });
      this.next();
    }) as Promise<Answers[Kind]>;
  }

  /** The current processes. */
  get pids(): number[] {
    return [...this.workers].flatMap((worker) => worker.process.pid ?? []);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { reject } of this.waiting.splice(0)) reject(busy());
    await Promise.all([...this.workers].map((worker) => this.end(worker)));
  }

  private next(): void {
    const converting = [...this.workers].filter((worker) => worker.current?.job.kind === 'convert').length;
    const index = this.waiting.findIndex(({ job }) => job.kind !== 'convert' || converting < this.options.conversions);
    if (index < 0) return;
    const idle = [...this.workers].filter((each) => !each.current && !each.isEnding);
    const worker = idle.find(({ path }) => path === this.waiting[index]?.job.path) ?? idle[0] ?? this.start();
    const [task] = worker ? this.waiting.splice(index, 1) : [];
    if (!worker || !task) return;
    this.give(worker, task);
    this.next();
  }

  private start(): Worker | null {
    if (this.workers.size >= this.options.processes) return null;
    const { folder, readable } = this.options;
    this.confined ??= confinement({ readable, writable: folder });
    const [program = process.execPath, ...first] = [...this.confined, process.execPath];
    const child = fork(main, {
      // The process gets no environment variable of ours, and its JavaScript may neither start programs nor write
      // elsewhere.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      execPath: program,
      execArgv: [
        ...first,
        '--max-old-space-size=1536',
        '--permission',
        '--allow-addons',
        '--allow-fs-read=*',
        `--allow-fs-write=${folder}`,
        '--disable-warning=SecurityWarning',
      ],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const worker: Worker = {
      process: child,
      spillFolder: join(folder, `spill-${child.pid}`),
      current: null,
      path: null,
      timer: undefined,
      isEnding: false,
    };
    this.workers.add(worker);
    child.on('message', (message: FromWorker) => this.hear(worker, message));
    child.on('error', () => this.lose(worker, null));
    child.on('exit', (code) => this.lose(worker, code));
    return worker;
  }

  private give(worker: Worker, task: Waiting): void {
    const { memoryMb, timeMs } = this.options;
    const allowed = timeMs[task.job.kind] ?? defaultTimes[task.job.kind];
    const limits: WorkerLimits = {
      memoryMb,
      threads: 2,
      spillFolder: worker.spillFolder,
      spillMb: memoryMb * 4,
      timeMs: allowed,
    };
    worker.current = task;
    worker.path = task.job.path;
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => {
      this.settle(worker, () => task.reject(new TableProblem(tooSlow)));
      void this.end(worker);
    }, allowed + grace);
    const message: ToWorker = { job: task.job, limits };
    worker.process.send(message, (error) => {
      if (error) this.lose(worker, null);
    });
  }

  private hear(worker: Worker, message: FromWorker): void {
    const task = worker.current;
    if (!task) return;
    if (message.type === 'progress') {
      task.onProgress(message.progress);
      return;
    }
    this.settle(worker, () => {
      if (message.type === 'done') task.resolve(message.answer);
      else task.reject(message.problem ? new TableProblem(message.problem) : new Error(message.error));
    });
    worker.timer = setTimeout(() => void this.end(worker), this.options.idleMs);
    worker.timer.unref();
    this.next();
  }

  private settle(worker: Worker, tell: () => void): void {
    clearTimeout(worker.timer);
    worker.current = null;
    tell();
  }

  /** The worker has ended, by itself or by us: its job fails, and later jobs get a new worker. */
  private lose(worker: Worker, code: number | null): void {
    if (!this.workers.delete(worker)) return;
    const task = worker.current;
    if (task) this.settle(worker, () => task.reject(new TableProblem(code === outOfMemoryExit ? tooMuch : crashed)));
    clearTimeout(worker.timer);
    void rm(worker.spillFolder, { recursive: true, force: true });
    if (!this.isStopped) this.next();
  }

  private end(worker: Worker): Promise<void> {
    worker.isEnding = true;
    return new Promise((resolve) => {
      if (worker.process.exitCode !== null || worker.process.signalCode !== null) return resolve();
      worker.process.once('exit', () => resolve());
      worker.process.kill('SIGKILL');
    });
  }
}

const busy = () =>
  new AppError('service_unavailable', 'Too many tables are being read just now. Try again in a moment.', {
    retryAfterSeconds: 2,
  });

const tooSlow: Problem = { reason: 'too_slow', message: 'This takes too long for a table of this size.' };
const tooMuch: Problem = { reason: 'too_large', message: 'This needs more memory than one table may take.' };
const crashed: Problem = {
  reason: 'unreadable',
  message: 'The file cannot be read: it is damaged, or needs more memory than one table may take.',
};
