import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type EnvironmentOptions, existingEnvironment, type MadePython, makeEnvironment } from './environment.ts';
import { noPython, PythonFailure } from './failures.ts';
import { findPythons, type Python } from './find.ts';
import { homeFor } from './home.ts';
import { packagesForEverybody } from './packages.ts';
import type { ProcessUser } from './run.ts';

export interface PythonProgress {
  phase: 'looking' | 'making' | 'installing' | 'checking' | 'waiting' | 'ready' | 'failed';
  /** The package being installed. */
  package: string | null;
  /** The finished part of the whole. */
  fraction: number;
  /** For the log and the interface. */
  message: string;
}

export interface PythonOptions {
  dataFolder: string;
  /** The server's environment: PATH, PIP_* and proxies are used. */
  environment: Record<string, string | undefined>;
  configured?: string | undefined;
  places?: string[] | undefined;
  packages?: string[];
  /** The user who runs the kernels, when it is not the server's own user. */
  user?: ProcessUser;
  onProgress?(progress: PythonProgress): void;
  /** The wait after the first failure; doubled each time, up to ten minutes. */
  retryMs?: number;
}

export interface PythonForEverybody {
  /** Null until one is found or made. */
  current(): Python | null;
  progress(): PythonProgress;
  /** Resolves when the existing Pythons are known. */
  readonly searched: Promise<void>;
  /** Resolves when the result is final: null where no Python is possible. */
  readonly settled: Promise<Python | null>;
  close(): Promise<void>;
}

const longestRetryMs = 600_000;

/** Finds, in the background, a Python on the machine with all packages, or makes one of our own. */
export function pythonForEverybody(options: PythonOptions): PythonForEverybody {
  const stop = new AbortController();
  let current: Python | null = null;
  let progress: PythonProgress = { phase: 'looking', package: null, fraction: 0, message: 'Looking for a Python' };
  const report = (next: PythonProgress) => {
    progress = next;
    if (!stop.signal.aborted) options.onProgress?.(next);
  };
  const searched = Promise.withResolvers<void>();
  const found = (python: Python | null) => {
    current = python;
    searched.resolve();
  };
  const settled = obtain(options, { signal: stop.signal, report, found })
    .then(async ({ python: obtained, missing }) => {
      found(obtained);
      const { dataFolder, user = null } = options;
      const python = {
        ...obtained,
        home: await homeFor(obtained, { folder: join(dataFolder, 'python'), user, signal: stop.signal }),
      };
      found(python);
      const lacks = missing.map(({ reason }) => ` ${reason}`).join('');
      report({ phase: 'ready', package: null, fraction: 1, message: `${readyWords(python)}${lacks}` });
      return python;
    })
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      report({ phase: 'failed', package: null, fraction: progress.fraction, message });
      return null;
    });
  return {
    current: () => current,
    progress: () => progress,
    searched: Promise.race([searched.promise, settled.then(() => {})]),
    settled,
    async close() {
      stop.abort();
      await settled;
    },
  };
}

interface Obtaining {
  signal: AbortSignal;
  report(progress: PythonProgress): void;
  /** Reports the Python to use until there is a better one. */
  found(python: Python | null): void;
}

async function obtain(options: PythonOptions, { signal, report, found: reportFound }: Obtaining): Promise<MadePython> {
  const { dataFolder, environment, packages = packagesForEverybody, user = null, retryMs = 5000 } = options;
  const folder = join(dataFolder, 'python');
  const found = await findPythons({ ...options, path: environment.PATH });
  const [first] = found;
  if (first?.has.ipykernel && first.lacks.length === 0) return { python: first, missing: [] };
  const existing = await existingEnvironment(folder, packages, user);
  if (existing) return existing;
  const poor = first?.has.ipykernel ? first : null;
  reportFound(poor);
  // Prefer a Python that can make the environment by itself.
  const base = found.find(({ has }) => has.venv && has.ensurepip) ?? found.find(({ has }) => has.pip) ?? first;
  if (!base) throw noPython;
  // A Python that lacks packages can be used meanwhile.
  const say = (progress: PythonProgress) =>
    report(poor ? { ...progress, phase: 'ready', message: `${readyWords(poor)} ${progress.message}` } : progress);
  let fraction = 0;
  const onStep: EnvironmentOptions['onStep'] = (step) => {
    fraction = step.fraction;
    say({ ...step, message: messageOf(step.phase, step.package) });
  };
  for (let pause = retryMs; ; pause = Math.min(2 * pause, longestRetryMs)) {
    try {
      return await makeEnvironment(base, { folder, packages, environment, user, signal, onStep });
    } catch (error) {
      if (signal.aborted) throw error;
      const isPassing = error instanceof PythonFailure && error.isPassing;
      if (!isPassing && poor) return { python: poor, missing: lackedBy(poor, error as Error) };
      if (!isPassing) throw error;
      const message = `${error.message} Trying again in ${Math.round(pause / 1000)} s.`;
      say({ phase: 'waiting', package: null, fraction, message });
      await setTimeout(pause, undefined, { signal });
    }
  }
}

const readyWords = ({ version }: Python) => `Python ${version} is ready.`;

const lackedBy = ({ lacks }: Python, { message }: Error): MadePython['missing'] => [
  {
    package: lacks.join(', '),
    reason: `It lacks ${lacks.join(', ')}. One that has them could not be made: ${message}`,
  },
];

function messageOf(phase: 'making' | 'installing' | 'checking', name: string | null): string {
  if (phase === 'installing') return `Installing Python's package ${name}`;
  return phase === 'making' ? 'Making a Python environment' : 'Checking the Python environment';
}
