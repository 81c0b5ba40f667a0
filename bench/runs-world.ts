import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projects } from '../apps/server/src/features/projects/table.ts';
import { users } from '../apps/server/src/features/users/table.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { openDatabase } from '../apps/server/src/platform/db/database.ts';
import { freePort } from '../apps/server/src/test/machine.ts';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';
import { installKernelPackages } from '../packages/kernels/src/test-packages.ts';
import { endKernels, signedIn } from './set-up.ts';

export interface World {
  /** The server does it and answers. */
  tell: <Value>(does: string, more?: object) => Promise<Value>;
  /** Where kernels have their sockets. */
  runFolder: string;
  port: number;
  /** Of other people's sessions: as many as keep each of them under the limit of requests. */
  others: string[];
}

/** A server that runs code, in a process of its own, with PostgreSQL, a person and a project. */
export async function withServer<Value>(work: (world: World) => Promise<Value>): Promise<Value> {
  await installKernelPackages();
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const runFolder = mkdtempSync(join(tmpdir(), 'b-'));
  chmodSync(runFolder, 0o711);
  try {
    const url = postgres.urlOf('bench');
    const admin = await openDatabase({ url: postgres.urlOf('postgres'), dataFolder: folder });
    await admin.db.execute('create database bench');
    await admin.close();
    const [userId, projectId] = [newId(), newId()];
    const { db, close } = await openDatabase({ url, dataFolder: folder });
    const now = new Date();
    await db.insert(users).values({ id: userId, userName: 'bench', role: 'admin', createdAt: now, activeAt: now });
    const fields = { name: 'Bench', createdAt: now, updatedAt: now, ownedAt: now };
    await db.insert(projects).values({ ...fields, id: projectId, ownerId: userId });
    const others = await signedIn(db, 10);
    await close();
    const port = await freePort();
    const child = fork(join(import.meta.dirname, 'runs-server.ts'), [], {
      execArgv: ['--expose-gc'],
      env: {
        ...process.env,
        ATOLL_DATA: join(folder, 'data'),
        DATABASE_URL: url,
        ATOLL_LOG_LEVEL: 'error',
        ATOLL_SECRET_KEYS: '0'.repeat(64),
        ATOLL_KERNEL_FOLDER: runFolder,
        PORT: String(port),
      },
    });
    await once(child, 'message');
    const tell = async <Value>(does: string, more: object = {}): Promise<Value> => {
      child.send({ does, userId, projectId, ...more });
      const [{ value }] = (await once(child, 'message')) as [{ value: Value }];
      return value;
    };
    await tell('open');
    const value = await work({ tell, runFolder, port, others: others.map(({ token }) => token) });
    await tell('close');
    return value;
  } finally {
    await endKernels(join(folder, 'data'));
    await postgres.stop();
    // Kernels that were ended by force leave their file systems mounted, which a server unmounts at its next start.
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    for (const line of mounts) {
      const mount = line.split(' ')[1] ?? '';
      if (mount.startsWith(`${runFolder}/`)) execFileSync('umount', ['-l', mount]);
    }
    for (const each of [folder, runFolder]) rmSync(each, { recursive: true, force: true });
  }
}
