import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { apiPrefix, type Session } from '@atoll/contract';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { type App, createApp } from '../apps/server/src/app.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { sessions } from '../apps/server/src/features/sessions/table.ts';
import { users } from '../apps/server/src/features/users/table.ts';
import { newId } from '../apps/server/src/platform/db/columns.ts';
import { type Database, type OpenDatabase, openDatabase } from '../apps/server/src/platform/db/database.ts';
import { createLimits } from '../apps/server/src/platform/http/limits.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { hashSecret, newSecret } from '../apps/server/src/platform/secrets.ts';
import { isAlive, kernelHostOf } from '../apps/server/src/test/server-client.ts';
import { startPostgres } from '../apps/server/src/test/servers/postgres-server.ts';

/** For what has to be paid for as in production: it waits for its disk. */
export const durable = ['fsync=on', 'full_page_writes=on'];

export async function withPostgres<Answer>(
  settings: string[],
  work: (urlOf: (database: string) => string) => Promise<Answer>,
): Promise<Answer> {
  const server = await startPostgres(settings);
  try {
    return await work(server.urlOf);
  } finally {
    await server.stop();
  }
}

export async function withPool<Answer>(url: string, max: number, work: (pool: Pool) => Promise<Answer>) {
  const pool = new Pool({ connectionString: url, max });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** A migrated database with rows. By connections of its own: a million rows take longer than a request may. */
export async function filled(url: string, fill: (db: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase({ url, dataFolder: '' });
  await database.close();
  await withPool(url, 1, (pool) => fill(drizzle(pool) as unknown as Database));
}

/** So many people who are signed in. */
export async function signedIn(db: Database, count: number): Promise<{ id: string; token: string }[]> {
  const now = new Date();
  const people = Array.from({ length: count }, () => ({ id: newId(), token: newSecret() }));
  await db
    .insert(users)
    .values(people.map(({ id }, place) => ({ id, userName: `person_${place}`, createdAt: now, activeAt: now })));
  await db.insert(sessions).values(
    people.map(({ id, token }) => ({
      tokenHash: hashSecret(token),
      userId: id,
      method: 'password',
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 3_600_000),
      userAgent: '',
      ip: '',
    })),
  );
  return people;
}

interface AppOptions {
  env?: Record<string, string>;
  hasSchedules?: boolean;
}

/** The whole server on a database, in this process. One person asks as much here as thousands would. */
export async function withApp<Answer>(
  url: string,
  work: (app: App, database: OpenDatabase) => Promise<Answer>,
  { env = {}, hasSchedules = true }: AppOptions = {},
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  try {
    const database = await openDatabase({ url, dataFolder: folder });
    const own = { ATOLL_DATA: folder, ATOLL_LOG_LEVEL: 'error', ATOLL_SECRET_KEYS: '0'.repeat(64) };
    const config = readConfig({ ...own, ...env });
    const [log, limits] = [createLog(config.log), createLimits(100_000)];
    const app = await createApp({ config, database, log, limits, webFolder: null, hasSchedules });
    await app.start();
    try {
      return await work(app, database);
    } finally {
      await app.stop();
      await endKernels(folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kernels wait for the server's next start, which never comes here. */
export async function endKernels(dataFolder: string): Promise<void> {
  const host = kernelHostOf(dataFolder);
  if (host === null || !isAlive(host)) return;
  process.kill(host, 'SIGTERM');
  while (isAlive(host)) await setTimeout(20);
}

export async function person(app: App): Promise<Session & { token: string }> {
  const name = `u_${newId().slice(-12)}`;
  const payload = { email: `${name}@example.org`, password: 'correct horse battery', user_name: name };
  const response = await app.http.inject({ method: 'POST', url: `${apiPrefix}/v1/sign_up`, payload });
  if (response.statusCode !== 200) throw new Error(`sign_up: ${response.statusCode} ${response.body}`);
  return response.json();
}
