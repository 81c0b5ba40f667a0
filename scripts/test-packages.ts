import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernelUser, packagesForEverybody, pythonForEverybody } from '../packages/kernels/src/index.ts';
import { testPythonFile, testPythonFolder } from '../packages/kernels/src/test-python.ts';
import { run, say } from './steps.ts';

/** What the tests run against, and a file by which it is known to be there. */
const packages: Record<string, string[]> = {
  postgresql: ['/usr/lib/postgresql', '/usr/local/bin/pg_config'],
  'nats-server': ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'],
  bubblewrap: ['/usr/bin/bwrap'],
  'python3-venv': ['/usr/lib/python3.11/ensurepip', '/usr/lib/python3.13/ensurepip'],
  'python3-ipykernel': ['/usr/share/jupyter/kernels/python3/kernel.json'],
  'jupyter-server': ['/usr/bin/jupyter-server'],
};

/** Before the tests and all at once: several of them asking Debian's installer at the same time would fail. */
export async function installTestPackages(): Promise<number> {
  const missing = Object.keys(packages).filter((name) => !packages[name]?.some((file) => existsSync(file)));
  if (missing.length === 0) return 0;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say(`Not found, and not ours to install: ${missing.join(', ')}`);
    return 0;
  }
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  const updated = await run('apt-get', ['update', '-qq'], environment);
  return updated || run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], environment);
}

/** The Python that people get, made by what makes it for them. Once for this machine: it is a minute of downloading. */
export async function makeTestPython(): Promise<number> {
  const mark = join(testPythonFolder, 'packages');
  const packages = packagesForEverybody.join('\n');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === packages) return 0;
  mkdirSync(testPythonFolder, { recursive: true, mode: 0o755 });
  const made = pythonForEverybody({
    dataFolder: testPythonFolder,
    environment: process.env,
    user: kernelUser(),
    onProgress: ({ message }) => say(message),
  });
  const python = await made.settled;
  if (!python) return 1;
  writeFileSync(testPythonFile, python.executable);
  writeFileSync(mark, packages);
  return 0;
}

if (import.meta.main) process.exitCode = (await installTestPackages()) || (await makeTestPython());
