import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { kernelUser } from '../kernel-user.ts';
import type { KernelLimits } from '../port.ts';
import { encodeFrame, type Frame, frameReader } from './frames.ts';
import { compiledLibrary } from './library.ts';

const script = fileURLToPath(new URL('./child.ts', import.meta.url));
const here = dirname(script);
const require = createRequire(import.meta.url);
const packageFolder = dirname(require.resolve('pyodide/package.json'));
const MB = 1024 * 1024;
/** Node, the compiled Python, its standard library, and garbage that JavaScript has not collected (240–260 MB at start). */
const BASE_BYTES = 280 * MB;
const LOOK_MS = 250;
export const OUTPUT_BYTES = 8 * MB;

/** The process may read these files. It gets no network, processes, threads, addons or inspector, and no code from text. */
export const LOCKED = [
  '--permission',
  ...['child.ts', 'frames.ts', 'project-files.ts', 'walls.ts', 'kernel.py'].map(
    (name) => `--allow-fs-read=${join(here, name)}`,
  ),
  `--allow-fs-read=${packageFolder}`,
  // The permission model does not cover its writes.
  '--no-experimental-sqlite',
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--disable-sigusr1',
];

/** Forbids writes to any file, by any code: pipes are all it needs. */
const writesNothing = existsSync('/usr/bin/prlimit') ? ['/usr/bin/prlimit', '--fsize=0', '--core=0', '--'] : [];

export interface PyodideProcess {
  send(header: unknown, bytes?: Uint8Array): void;
  answer(header: unknown): void;
  /** A loop that lets nothing else run can see it. */
  countInterrupt(): void;
  /** The number of interrupts in the file. */
  interrupts(): number;
  kill(): void;
  usage(): { memoryBytes: number; cpuSeconds: number; processes: number } | null;
  readonly exit: Promise<ProcessExit>;
}

export interface ProcessExit {
  code: number | null;
  signal: string | null;
  isOutOfMemory: boolean;
  words: string;
}

export function startProcess(
  limits: KernelLimits,
  environment: Record<string, string>,
  packagesFolder: string | null,
  onFrame: (frame: Frame) => void,
): PyodideProcess {
  const [counter, counterForChild] = counterFile();
  const library = existsSync(compiledLibrary) ? compiledLibrary : null;
  const [program, ...first] = [...writesNothing, process.execPath];
  const child = spawn(
    program,
    [
      ...first,
      ...LOCKED,
      ...(library ? [`--allow-fs-read=${library}`] : []),
      ...(packagesFolder ? [`--allow-fs-read=${packagesFolder}`] : []),
      `--max-old-space-size=${Math.max(128, Math.round(limits.memoryBytes / MB / 4))}`,
      '--no-warnings',
      script,
    ],
    { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe', 'pipe', counterForChild] },
  );
  closeSync(counterForChild);
  const commands = child.stdin as Writable;
  const answers = child.stdio[3] as Duplex;
  // The exit of the process is reported separately; data that was on its way is lost.
  for (const stream of [commands, answers]) stream.on('error', () => undefined);

  let words = '';
  let isOutOfMemory = false;
  let interrupts = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4000);
  });
  const read = frameReader(Math.max(limits.fileBytes, 2 * OUTPUT_BYTES) + MB);
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      for (const frame of read(chunk)) onFrame(frame);
    } catch {
      words = 'It broke the protocol.';
      child.kill('SIGKILL');
    }
  });
  const watch = setInterval(() => {
    const used = usageOf(child);
    if (used === null || used.memoryBytes <= limits.memoryBytes) return;
    isOutOfMemory = true;
    child.kill('SIGKILL');
  }, LOOK_MS);

  const exit = new Promise<ProcessExit>((resolve) => {
    child.on('error', (error) => {
      words = error.message;
    });
    child.on('close', (code, signal) => {
      clearInterval(watch);
      closeSync(counter);
      resolve({ code, signal, isOutOfMemory: isOutOfMemory || /heap out of memory|OutOfMemory/i.test(words), words });
    });
  });
  const send: PyodideProcess['send'] = (header, bytes) => void commands.write(encodeFrame(header, bytes));
  send({
    kind: 'start',
    options: {
      packageFolder,
      library,
      user: kernelUser(),
      packagesFolder,
      environment,
      wasmBytes: Math.max(64 * MB, limits.memoryBytes - BASE_BYTES),
      fileBytes: limits.fileBytes,
      folderBytes: limits.folderBytes,
      outputBytes: OUTPUT_BYTES,
    },
  });
  return {
    send,
    answer: (header) => void answers.write(encodeFrame(header)),
    countInterrupt() {
      interrupts = (interrupts + 1) % 256;
      if (child.exitCode === null && child.signalCode === null)
        writeSync(counter, new Uint8Array([interrupts]), 0, 1, 0);
    },
    interrupts: () => interrupts,
    kill: () => void child.kill('SIGKILL'),
    usage: () => usageOf(child),
    exit,
  };
}

/** One byte in an unnamed file: we write it, the kernel reads it. */
function counterFile(): [number, number] {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-pyodide-'));
  try {
    const path = join(folder, 'interrupts');
    const ours = openSync(path, 'wx');
    writeSync(ours, new Uint8Array(1), 0, 1, 0);
    return [ours, openSync(path, 'r')];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Null where there is no /proc. */
function usageOf(child: ChildProcess): { memoryBytes: number; cpuSeconds: number; processes: number } | null {
  try {
    const pages = Number(readFileSync(`/proc/${child.pid}/statm`, 'utf8').split(' ')[1]);
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return { memoryBytes: pages * 4096, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, processes: 1 };
  } catch {
    return null;
  }
}
