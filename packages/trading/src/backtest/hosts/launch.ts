import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callFilter } from './call-filter.ts';
import type { Host, Hosts, Language } from './host.ts';
import { PipeHost } from './pipe-host.ts';

/** The program of a host: a confined host reads this folder and no other. */
export const hostRuntime = join(import.meta.dirname, '../..');
export const hostMain = join(import.meta.dirname, '../code/host-main.ts');

/** One command of a host: what confines it, the interpreter, and what the processor and the memory are limited to. */
export interface HostCommand {
  language: Language;
  executable: string;
  prefix: string[];
  /** Of the processor: a machine that is busy with other things makes no strategy slow. */
  cpuSeconds: number;
  memoryMb: number;
  /** Where the code of hosts is kept compiled; read only. */
  compileCache?: string | undefined;
}

/**
 * A host begins when it is opened, with two pipes and nothing else of ours: no folder, no name, no number. The shell around
 * it is outside of its sandbox, limits it, says how it ended and ends it.
 */
const script = `
folder=$1 cpu=$2 data=$3 names=$4 filter=$5
shift 5
for name in $names; do
  (
    exec 3<>"$folder/$name.to" 4<>"$folder/$name.from" 5<>"$folder/$name.end"
    read -r go <&3 || exit
    (ulimit -t "$cpu"; ulimit -d "$data"; ulimit -c 0; exec "$@" <&3 >&4 2>/dev/null 3<&- 4<&- 5<&- 9<"$filter") &
    child=$!
    { read -r over <&5; kill -9 "$child"; } 3<&- 4<&- >/dev/null 2>&1 &
    watch=$!
    wait "$child"
    printf '\\017\\000\\000\\000\\000\\000\\000\\000{"ended":"%03d"}' $? >&4
    kill "$watch"
  ) 2>/dev/null &
done
cat >/dev/null
kill -9 0
`;

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  // The order of a set must not change from run to run, nor the sums of a library with the number of its threads.
  ...{ PYTHONHASHSEED: '0', OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' },
};

function programOf({ language, executable, memoryMb, compileCache }: HostCommand): string[] {
  if (language === 'python')
    return [executable, '-s', '-B', join(import.meta.dirname, '../python/main.py'), String(memoryMb)];
  return [
    executable,
    `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
    '--permission',
    ...[hostRuntime, ...(compileCache ? [compileCache] : [])].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    hostMain,
  ];
}

export interface LaunchedHosts {
  /** For `openHosts`, in the folder; nothing in them says how many there are or which is which. */
  names: string[];
  /** When there are none any more: they could not be started, or were closed. */
  ended: Promise<void>;
  close(): void;
}

/** In the folder; nothing in a name says how many there are or which is which. */
export const newHostNames = (count: number) => Array.from({ length: count }, () => randomBytes(12).toString('hex'));
export const pipesOf = (folder: string, names: readonly string[]) =>
  names.flatMap((name) => ['to', 'from', 'end'].map((end) => join(folder, `${name}.${end}`)));

/** Makes so many hosts ready. They end with `close`, and when this process ends. */
export async function launchHosts(command: HostCommand, folder: string, count: number): Promise<LaunchedHosts> {
  const names = newHostNames(count);
  await promisify(execFile)('mkfifo', ['-m', '600', ...pipesOf(folder, names)]);
  return startHosts(command, folder, names);
}

/** The same where the pipes are there. */
export function startHosts(command: HostCommand, folder: string, names: string[]): LaunchedHosts {
  // Memory beside that of the strategy: the program itself, before it has read any.
  const limits = [String(command.cpuSeconds), String((command.memoryMb + 512) * 1024)];
  const { compileCache } = command;
  const filter = join(folder, 'filter');
  writeFileSync(filter, callFilter());
  const child = spawn(
    'sh',
    ['-c', script, 'sh', folder, ...limits, names.join(' '), filter, ...command.prefix, ...programOf(command)],
    {
      // A group of its own, which ends as one.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {
        ...environment,
        ...(compileCache ? { NODE_COMPILE_CACHE: compileCache, NODE_COMPILE_CACHE_READONLY: '1' } : {}),
      },
    },
  );
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
  });
  child.stdin?.on('error', () => {});
  return { names, ended, close: () => void child.stdin?.end() };
}

/** Those that were launched, one after the other. */
export function openHosts(
  language: Language,
  folder: string,
  names: readonly string[],
  cpuSeconds: number | null = null,
): Hosts {
  const left = [...names];
  return {
    language,
    open(): Host {
      const name = left.shift();
      if (name === undefined) throw new Error('There are no more hosts for this task');
      const host = new PipeHost(folder, name);
      if (language === 'typescript') host.cpuSeconds = cpuSeconds;
      return host;
    },
  };
}
