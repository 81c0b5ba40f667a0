import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testPythonFolder, testPythonPackages } from '../apps/server/src/test/test-python.ts';
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

/** A Python with what notebooks are made of. Once for this machine: it is half a minute of downloading. */
export async function makeTestPython(): Promise<number> {
  const mark = join(testPythonFolder, 'packages');
  if (existsSync(mark)) return 0;
  rmSync(testPythonFolder, { recursive: true, force: true });
  const base = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const made = await run(base, ['-m', 'venv', testPythonFolder]);
  const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--only-binary=:all:'];
  const failed = made || (await run(join(testPythonFolder, 'bin/python'), [...pip, ...testPythonPackages]));
  if (!failed) writeFileSync(mark, testPythonPackages.join('\n'));
  return failed;
}
