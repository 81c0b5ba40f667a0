import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, installPackage } from '../machine.ts';

const run = promisify(execFile);

export interface PostgresServer {
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** A real PostgreSQL of the test run's own: from the installed binaries, or from Debian's package. */
export async function startPostgres(extraSettings: string[] = []): Promise<PostgresServer> {
  const binaries = (await findBinaries()) ?? (await installBinaries());
  const folder = await mkdtemp(join(tmpdir(), 'atoll-postgres-'));
  // PostgreSQL refuses to run as root, so root hands it to the least of its users.
  const identity = userInfo().uid === 0 ? await unprivileged() : null;
  if (identity) await chown(folder, identity.uid, identity.gid);
  const data = join(folder, 'data');
  const options = { ...identity, cwd: folder };
  await run(join(binaries, 'initdb'), ['-D', data, '-U', 'atoll', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
  const port = await freePort();
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    'max_connections=800',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...extraSettings,
  ];
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...options,
      stdio: 'ignore',
    },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await waitUntilReady(join(binaries, 'pg_isready'), port);
  return {
    urlOf: (database) => `postgres://atoll@127.0.0.1:${port}/${database}`,
    async stop() {
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findBinaries(): Promise<string | null> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const newest = versions
    .map(Number)
    .filter((version) => version >= 15)
    .sort((a, b) => b - a)[0];
  if (newest) return join(root, String(newest), 'bin');
  const found = await run('pg_config', ['--bindir']).catch(() => null);
  return found?.stdout.trim() ?? null;
}

async function installBinaries(): Promise<string> {
  await installPackage('postgresql');
  const binaries = await findBinaries();
  if (!binaries) throw new Error('PostgreSQL 15 or newer is needed for the tests: install the package postgresql');
  return binaries;
}

async function unprivileged(): Promise<{ uid: number; gid: number }> {
  const id = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function waitUntilReady(pgIsReady: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isReady = await run(pgIsReady, ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('PostgreSQL did not start within 30 s');
}
