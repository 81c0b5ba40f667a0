import { execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hostMain, hostRuntime, type LaunchedHosts, launchHosts } from '@atoll/trading/backtest/hosts/launch';
import type { StrategyProblem } from '@atoll/trading/backtest/job';
import { appState } from '../../../../platform/app-state.ts';
import { confined, confinedHost, confinement } from '../../../../platform/confinement.ts';
import type { Context } from '../../../../platform/context.ts';
import { cpuSecondsOf, hostsOf } from '../../worker/limits.ts';
import { readLines } from '../../worker/lines.ts';
import type { AnswerOf, FromWorker, Task, ToWorker } from '../../worker/messages.ts';
import { NoPython, strategyPython } from './python.ts';

const root = join(import.meta.dirname, '../../../../../../..');
const main = join(import.meta.dirname, '../../worker/main.ts');
const memoryMb = 1_024;
/** What a process may ask for beside that, before its code is loaded: stacks of threads and the heap of the program itself. */
const ownMb = 512;
/**
 * The kernel refuses what is asked for beyond it, whatever the process does meanwhile. Without prlimit only the heap is
 * bounded.
 */
const prlimit = '/usr/bin/prlimit';
const memoryLimit = existsSync(prlimit) ? [prlimit, `--data=${(memoryMb + ownMb) * 1024 ** 2}`, '--core=0', '--'] : [];
/** A whole backtest with its 5,000 orders and trades has three. */
const largestAnswer: Record<Task['kind'], number> = {
  describe: 1,
  backtest: 32,
  verify: 1,
  inspect: 4,
  sweep: 8,
  walk_forward: 4,
  advance: 4,
};
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
  const [program = process.execPath, ...first] = [...memoryLimit, ...prefix, process.execPath];
  return {
    program,
    options: [
      ...first,
      `--max-old-space-size=${memoryMb / 2}`,
      '--permission',
      '--allow-addons',
      // A live step runs people's code here: also where nothing confines the process, it reads no file but these.
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
    for (const each of [main, hostMain]) {
      const compiling = promisify(execFile)(program, [...options, each], { env, timeout: 30_000 });
      // There is nothing to do: it ends when it has read that.
      compiling.child.stdin?.end();
      await compiling;
    }
    return folder;
  } catch (error) {
    system.log.warn({ err: error }, 'compiling the strategy worker');
    return null;
  }
});

/** What people's code runs in, beside the process that judges it: each sees its own program and nothing else. */
async function launchFor(ctx: Context, task: Task, folder: string): Promise<(LaunchedHosts & HostPlace) | null> {
  const language = task.kind === 'describe' ? task.language : task.test.language;
  // A live step is not judged where it is decided, but by the books of the server.
  if (task.kind === 'advance' && language === 'typescript') return null;
  const isConfined = canBeConfined(ctx);
  const program =
    language === 'python'
      ? await strategyPython(ctx, isConfined).catch((error: unknown) => {
          throw error instanceof NoPython ? refused('job', error.message) : error;
        })
      : { executable: process.execPath, readable: [dirname(realpathSync(process.execPath))] };
  const compileCache = language === 'typescript' ? await compiledFolder(ctx) : null;
  const readable = [hostRuntime, ...program.readable, ...(compileCache ? [compileCache] : [])];
  const command = {
    ...{ language, executable: program.executable, memoryMb, cpuSeconds: cpuSecondsOf(task) },
    prefix: isConfined ? confinedHost(readable) : [],
    ...(compileCache ? { compileCache } : {}),
  };
  return { ...(await launchHosts(command, folder, hostsOf(task))), language, folder, cpuSeconds: command.cpuSeconds };
}
type HostPlace = Omit<NonNullable<ToWorker['hosts']>, 'names'>;

const placeOf = ({ language, folder, names, cpuSeconds }: LaunchedHosts & HostPlace) => ({
  ...{ language, folder, names, cpuSeconds },
});

/**
 * One task in a process of its own, which ends with it, and people's code in others beside it: it shares neither memory nor
 * time with anything, sees no file, and has no network.
 */
export async function inWorker<Each extends Task>(
  ctx: Context,
  task: Each,
  options: WorkerOptions,
): Promise<AnswerOf<Each>> {
  const launched = await launchFor(ctx, task, options.folder);
  try {
    return await run(ctx, task, options, launched);
  } finally {
    launched?.close();
  }
}

async function run<Each extends Task>(
  ctx: Context,
  task: Each,
  options: WorkerOptions,
  launched: Awaited<ReturnType<typeof launchFor>>,
): Promise<AnswerOf<Each>> {
  const { folder, timeMs, signal, onProgress } = options;
  const compiled = await compiledFolder(ctx);
  const node = confinedNode(ctx, folder, compiled ? [compiled] : []);
  const cache = compiled ? { NODE_COMPILE_CACHE: compiled, NODE_COMPILE_CACHE_READONLY: '1' } : {};
  const hosts = launched && placeOf(launched);
  return new Promise<AnswerOf<Each>>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawn(node.program, [...node.options, main], {
      env: { ...environment, ...cache },
      // Plain bytes both ways: what comes back is counted before it is read.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const end = (tell: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      child.removeAllListeners();
      child.stdout.removeAllListeners();
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
    // The other side of its pipes is gone: it would wait for the rest of its time.
    launched?.ended.then(() =>
      end(() => reject(refused('job', 'What runs strategies could not be started. Try again.'))),
    );
    const most = largestAnswer[task.kind];
    readLines(child.stdout, most * 1024 ** 2, {
      onLine(line) {
        let message: FromWorker;
        try {
          message = JSON.parse(line);
        } catch {
          return end(() => reject(refused('error', 'It answered something that cannot be read and was ended.')));
        }
        if (message.type === 'progress') onProgress?.(message.progress);
        else if (message.type === 'done') end(() => resolve(message.answer as AnswerOf<Each>));
        else if (message.type === 'refused') end(() => reject(new StrategyRefusal(message.problem)));
        else end(() => reject(new Error(message.error)));
      },
      onTooMuch: () => end(() => reject(refused('error', `It answered more than ${most} MB and was ended.`))),
    });
    child.on('error', (error) => end(() => reject(error)));
    // When its last words are read, and not when it ends.
    child.on('close', () =>
      end(() =>
        reject(
          refused('error', 'It ended without an answer: most likely it needs more memory than a strategy may take.'),
        ),
      ),
    );
    child.stdin.on('error', (error) => ctx.log.warn({ err: error }, 'strategy worker'));
    child.stdin.write(`${JSON.stringify({ task, hosts } satisfies ToWorker)}\n`);
  });
}
