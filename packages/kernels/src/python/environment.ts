import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noVenv, type PythonFailure, pipFailure, unreachable, venvFailure } from './failures.ts';
import { askPython, type Python } from './find.ts';
import { makeHome, ownHome } from './home.ts';
import { isAlive, type ProcessUser, runQuietly } from './run.ts';

export interface EnvironmentOptions {
  /** Everything is stored below it; kernels must be able to reach it. */
  folder: string;
  packages: string[];
  /** The server's environment; only variables for pip and proxies are passed on. */
  environment: Record<string, string | undefined>;
  user?: ProcessUser;
  signal?: AbortSignal | undefined;
  onStep(step: { phase: 'making' | 'installing' | 'checking'; package: string | null; fraction: number }): void;
}

export interface MadePython {
  python: Python;
  /** Packages that could not be installed, with the reason. */
  missing: { package: string; reason: string }[];
}

interface MadeRecord {
  folder: string;
  packages: string[];
  missing: MadePython['missing'];
}

const recordName = 'current.json';
const stem = 'environment-';

/** The previous environment, if it still matches and runs. */
export async function existingEnvironment(
  folder: string,
  packages: string[],
  user: ProcessUser = null,
): Promise<MadePython | null> {
  const record = await readRecord(folder);
  if (!record || record.packages.join() !== packages.join()) return null;
  const python = await askPython(join(folder, record.folder, 'bin/python'), user);
  return python?.has.ipykernel ? { python, missing: record.missing } : null;
}

/** Makes it in its final place, because its scripts contain the path; it counts only when the record names it. */
export async function makeEnvironment(base: Python, options: EnvironmentOptions): Promise<MadePython> {
  const { folder, packages, signal, onStep } = options;
  await mkdir(folder, { recursive: true });
  await removeLeftOvers(folder);
  const name = `${stem}${process.pid}-${Date.now()}`;
  const place = join(folder, name);
  try {
    onStep({ phase: 'making', package: null, fraction: 0 });
    const pip = await makeBare(base, place, options);
    // Fail now rather than after everything has been downloaded.
    if (!(await askPython(join(place, 'bin/python'), options.user))) throw unreachable(place);
    const missing: MadePython['missing'] = [];
    for (const [index, wanted] of packages.entries()) {
      onStep({ phase: 'installing', package: wanted, fraction: (index + 1) / (packages.length + 2) });
      const failure = await install(pip, wanted, options);
      if (failure && (failure.isPassing || index === 0)) throw failure;
      if (failure) missing.push({ package: wanted, reason: failure.message });
    }
    signal?.throwIfAborted();
    onStep({ phase: 'checking', package: null, fraction: (packages.length + 1) / (packages.length + 2) });
    const python = await askPython(join(place, 'bin/python'), options.user);
    if (!python?.has.ipykernel) throw unreachable(place);
    await makeHome(python.executable, ownHome(place), { user: options.user ?? null, signal });
    const old = await readRecord(folder);
    await writeRecord(folder, { folder: name, packages, missing });
    if (old) await rm(join(folder, old.folder), { recursive: true, force: true });
    return { python, missing };
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves with the command line of its pip. */
async function makeBare(base: Python, place: string, options: EnvironmentOptions): Promise<[string, ...string[]]> {
  const program = join(place, 'bin/python');
  if (!base.has.venv || !(base.has.ensurepip || base.has.pip)) throw noVenv(base.executable);
  const parameters = ['-I', '-m', 'venv', ...(base.has.ensurepip ? [] : ['--without-pip']), place];
  const { code, output } = await runQuietly(base.base, parameters, {
    environment: pipEnvironment(options),
    signal: options.signal,
  });
  if (code !== 0) throw venvFailure(base.executable, output);
  return base.has.ensurepip ? [program, '-m', 'pip'] : [base.executable, '-m', 'pip', '--python', program];
}

async function install(
  [program, ...pip]: [string, ...string[]],
  name: string,
  options: EnvironmentOptions,
): Promise<PythonFailure | null> {
  options.signal?.throwIfAborted();
  // Accepts built packages only: building runs code of the package, outside of any sandbox.
  const cautious = ['--no-input', '--disable-pip-version-check', '--only-binary=:all:'];
  // Without a retry, pip does not distinguish an unreachable index from a missing package.
  const parameters = [...pip, 'install', ...cautious, '--retries=2', name];
  const { code, output } = await runQuietly(program, parameters, {
    environment: pipEnvironment(options),
    signal: options.signal,
  });
  options.signal?.throwIfAborted();
  return code === 0 ? null : pipFailure(name, output);
}

const passedOn = /^(?:PIP_.*|(?:https?|all|no)_proxy|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE)$/i;

/** An allowlist, not a list of secrets: the server's environment is full of them. */
export function pipEnvironment({ environment, folder }: Pick<EnvironmentOptions, 'environment' | 'folder'>) {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passedOn.test(entry[0]),
  );
  // Files that were downloaded before a failure are not downloaded again.
  return { HOME: folder, PIP_CACHE_DIR: join(folder, 'downloads'), ...Object.fromEntries(given) };
}

/** Removes unfinished environments of processes that have ended. */
async function removeLeftOvers(folder: string): Promise<void> {
  const record = await readRecord(folder);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(stem) || name === record?.folder) continue;
    const pid = Number(name.slice(stem.length).split('-')[0]);
    if (pid === process.pid || !isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function readRecord(folder: string): Promise<MadeRecord | null> {
  try {
    const record = JSON.parse(await readFile(join(folder, recordName), 'utf8')) as MadeRecord;
    return new RegExp(`^${stem}[\\d-]+$`).test(record.folder) && Array.isArray(record.packages) ? record : null;
  } catch {
    return null;
  }
}

async function writeRecord(folder: string, record: MadeRecord): Promise<void> {
  const temporary = join(folder, `${recordName}.${process.pid}`);
  await writeFile(temporary, JSON.stringify(record));
  await rename(temporary, join(folder, recordName));
}
