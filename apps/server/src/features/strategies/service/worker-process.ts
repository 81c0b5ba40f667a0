import { execFile, fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { StrategyProblem } from '@atoll/trading/backtest/job';
import { appState } from '../../../platform/app-state.ts';
import { confined, confinement } from '../../../platform/confinement.ts';
import type { Context } from '../../../platform/context.ts';
import { type AnswerOf, type FromWorker, outOfMemoryExit, type Task, type ToWorker } from '../worker/messages.ts';
import { NoPython, startPython } from './python.ts';

const root = join(import.meta.dirname, '../../../../../..');
const main = join(import.meta.dirname, '../worker/main.ts');
const memoryMb = 1_024;
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** What the strategy did, for the person who wrote it. */
export class StrategyRefusal extends Error {
  readonly problem: StrategyProblem;
  constructor(problem: StrategyProblem) {
    super(problem.message);
    this.name = 'StrategyRefusal';
    this.problem = problem;
  }
}

const refused = (code: StrategyProblem['code'], message: string) =>
  new StrategyRefusal({ code, message, at: null, line: null });

interface WorkerOptions {
  /** What it may read and write, and nothing else. */
  folder: string;
  timeMs: number;
  signal?: AbortSignal;
  onProgress?(progress: number): void;
}

/** Tried once: it takes a moment, in which nothing else happens. */
const canBeConfined = appState(() => confinement({ readable: [], writable: tmpdir() }).length > 0);

/** A Node that writes to one folder. */
function confinedNode(ctx: Context, writable: string, readable: string[]): { program: string; options: string[] } {
  const prefix = canBeConfined(ctx) ? confined({ readable, writable }) : [];
  const [program = process.execPath, ...first] = [...prefix, process.execPath];
  return {
    program,
    options: [
      ...first,
      `--max-old-space-size=${memoryMb / 2}`,
      '--permission',
      '--allow-addons',
      // People's code runs here: also where nothing confines the process, it reads no file but these.
      ...['node_modules', 'packages', 'apps/server'].map((path) => `--allow-fs-read=${join(root, path)}`),
      ...[writable, ...readable].map((path) => `--allow-fs-read=${path}`),
      `--allow-fs-write=${writable}`,
      '--disallow-code-generation-from-strings',
      '--disable-warning=SecurityWarning',
    ],
  };
}

/**
 * Where the worker's code is kept compiled, if this server keeps any: compiling is three quarters of a start. One that is
 * given no task, and so meets nobody's code, writes it; the others only read it.
 */
const compiledFolder = appState(async (system) => {
  const own = getCompileCacheDir();
  const shared = own ? dirname(own) : process.env.NODE_COMPILE_CACHE;
  if (!shared) return null;
  // A folder of its own: people's code can read all of it.
  const folder = join(shared, 'strategy-worker');
  try {
    await mkdir(folder, { recursive: true });
    const { program, options } = confinedNode(system, folder, []);
    const env = { ...environment, NODE_COMPILE_CACHE: folder };
    await promisify(execFile)(program, [...options, main], { env, timeout: 10_000 });
    return folder;
  } catch (error) {
    system.log.warn({ err: error }, 'compiling the strategy worker');
    return null;
  }
});

/**
 * One task in a process of its own, which ends with it: people's code shares neither memory nor time with anything, sees
 * no file but those handed to it, and has no network.
 */
export async function inWorker<Each extends Task>(
  ctx: Context,
  task: Each,
  options: WorkerOptions,
): Promise<AnswerOf<Each>> {
  const { folder } = options;
  const language = task.kind === 'describe' ? task.language : task.test.language;
  if (language === 'typescript') return run(ctx, task, options, null);
  const python = await startPython(ctx, { folder, memoryMb, isConfined: canBeConfined(ctx) }).catch(
    (error: unknown) => {
      throw error instanceof NoPython ? refused('job', error.message) : error;
    },
  );
  try {
    return await run(ctx, task, options, python.folder);
  } finally {
    python.end();
  }
}

async function run<Each extends Task>(
  ctx: Context,
  task: Each,
  options: WorkerOptions,
  pythonFolder: string | null,
): Promise<AnswerOf<Each>> {
  const { folder, timeMs, signal, onProgress } = options;
  const compiled = await compiledFolder(ctx);
  const node = confinedNode(ctx, folder, compiled ? [compiled] : []);
  const cache = compiled ? { NODE_COMPILE_CACHE: compiled, NODE_COMPILE_CACHE_READONLY: '1' } : {};
  return new Promise<AnswerOf<Each>>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = fork(main, {
      env: { ...environment, ...cache },
      execPath: node.program,
      execArgv: node.options,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const end = (tell: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      child.removeAllListeners();
      child.on('error', () => {});
      child.kill('SIGKILL');
      tell();
    };
    const onAbort = () => end(() => reject(signal?.reason));
    const timer = setTimeout(
      () =>
        end(() =>
          reject(refused('time_limit', `It took longer than ${Math.round(timeMs / 1000)} seconds and was ended.`)),
        ),
      timeMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    child.on('message', (message: FromWorker) => {
      if (message.type === 'progress') onProgress?.(message.progress);
      else if (message.type === 'done') end(() => resolve(message.answer as AnswerOf<Each>));
      else if (message.type === 'refused') end(() => reject(new StrategyRefusal(message.problem)));
      else end(() => reject(new Error(message.error)));
    });
    child.on('error', (error) => end(() => reject(error)));
    child.on('exit', (code) =>
      end(() =>
        reject(
          code === outOfMemoryExit
            ? refused('error', `It needs more than the ${memoryMb} MB of memory a strategy may take.`)
            : refused(
                'error',
                'It ended without an answer: most likely it needs more memory than a strategy may take.',
              ),
        ),
      ),
    );
    child.send({ task, memoryMb, pythonFolder } satisfies ToWorker, (error) => {
      if (error) ctx.log.warn({ err: error }, 'strategy worker');
    });
  });
}
