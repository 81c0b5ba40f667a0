import { mkdir } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { sql } from 'drizzle-orm';
import { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { StartError } from '../start-error.ts';
import { EmbeddedConnection } from './embedded-connection.ts';
import { migrateDatabase } from './migrate.ts';
import { PostgresSession } from './postgres-session.ts';
import { sendTogether } from './send-together.ts';

/** The database as services see it; no other code knows whether PGlite or PostgreSQL is behind it. */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

export interface OpenDatabase {
  db: Database;
  kind: 'embedded' | 'postgres';
  ping(): Promise<void>;
  /** No statement and no connection is in progress. */
  isIdle(): boolean;
  close(): Promise<void>;
}

/** PostgreSQL's default compression takes four times as long as the rest of storing a cell's output. */
const knowsLz4 = `select from pg_settings where name = 'default_toast_compression' and 'lz4' = any(enumvals)`;
/** The constant is arbitrary; it only has to be the same in every server that might migrate at once. */
const migrationLock = 7_214_001;

/**
 * Ends a statement of a request, an event or a job that is stuck, and a transaction that is idle for a minute, because
 * either would hold its connection and locks for good. Jobs that count ten million rows for the first time need more than a
 * request may. Migrations have no limit. The embedded database cannot interrupt itself.
 */
const timeouts = '-c statement_timeout=5min -c idle_in_transaction_session_timeout=60s';

export async function openDatabase(options: { url: string | null; dataFolder: string }): Promise<OpenDatabase> {
  return options.url ? openPostgres(options.url) : openEmbedded(join(options.dataFolder, 'database'));
}

/** The similarity that two words need for a search to match them; one wrong letter in seven still passes. */
const searchTolerance = { name: 'pg_trgm.word_similarity_threshold', value: 0.5 };

/** Trigrams make search forgive typos; PostgreSQL has them built in. */
export const embeddedOptions = {
  extensions: { pg_trgm },
  // The default is 128 MB, all of it resident from the start; the machine caches the files in memory anyway.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=24MB'],
};

async function openEmbedded(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const client = await PGlite.create(folder, embeddedOptions).catch((error: Error) => {
    throw new StartError(
      `The embedded database in ${folder} does not open: ${error.message}. Check that its disk is not full; otherwise restore the folder from a backup (docs/OPERATIONS.md).`,
    );
  });
  return wrapEmbedded(client);
}

/** Tests pass a PGlite of their own, in memory and already migrated. */
export async function wrapEmbedded(client: PGlite): Promise<OpenDatabase> {
  const pool = new Pool({
    // There is one connection; the open transaction has it.
    max: 1,
    idleTimeoutMillis: 0,
    stream: () => sendTogether(new EmbeddedConnection(client)),
    ssl: false,
    // To the database it is always the same connection: transactions and prepared statements of the previous client are
    // still there.
    onConnect: async (connection) => void (await connection.query('rollback; deallocate all')),
    user: 'postgres',
    database: 'postgres',
    pipeline: true,
  });
  pool.on('error', () => {});
  await pool.query(`set ${searchTolerance.name} = ${searchTolerance.value}`);
  await migrateDatabase(pool);
  const dialect = new PgDialect();
  const session = new PostgresSession(pool, pool, dialect);
  const db = new NodePgDatabase(dialect, session, undefined) as unknown as Database;
  return {
    db,
    kind: 'embedded',
    ping: () => ping(db),
    isIdle: () => isIdle(pool),
    close: () => closed(session, [pool]).then(() => client.close()),
  };
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const poolOf = (max: number, settings: string) => {
    const pool = new Pool({
      connectionString: url,
      stream: () => sendTogether(new Socket()),
      max,
      // Two hundred writes to one row at once wait for each other, on a busy machine longer than ten seconds.
      connectionTimeoutMillis: 30_000,
      // A new connection plans its first statements slowly: after a pause the next page would wait for twenty of them.
      idleTimeoutMillis: 10 * 60_000,
      options: `-c ${searchTolerance.name}=${searchTolerance.value} ${timeouts} ${settings}`,
      // Statements issued together are sent together, without waiting for the previous answer.
      pipeline: true,
    });
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    pool.on('error', () => {});
    return pool;
  };
  const pool = poolOf(20, '');
  let isQuick = false;
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrateDatabase(client);
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    await client.query('reset statement_timeout');
    isQuick = (await client.query(knowsLz4)).rowCount === 1;
    client.release();
  } catch (error) {
    // Ending the connection releases the lock.
    client.release(true);
    await pool.end();
    throw error;
  }
  // `PostgresSession` does not wait for `begin`, so these connections refuse writes outside of a transaction.
  const transactions = poolOf(
    10,
    `-c default_transaction_read_only=on ${isQuick ? '-c default_toast_compression=lz4' : ''}`,
  );
  const dialect = new PgDialect();
  const session = new PostgresSession(pool, transactions, dialect);
  const db = new NodePgDatabase(dialect, session, undefined) as unknown as Database;
  return {
    db,
    kind: 'postgres',
    ping: () => ping(db),
    isIdle: () => isIdle(pool) && isIdle(transactions),
    close: () => closed(session, [pool, transactions]),
  };
}

const isIdle = (pool: Pool): boolean => pool.idleCount === pool.totalCount && pool.waitingCount === 0;

/** A pool that is ended does not answer callers that wait for a connection. */
async function closed(session: PostgresSession, pools: Pool[]): Promise<void> {
  session.close();
  while (pools.some(({ waitingCount }) => waitingCount > 0)) await setTimeout(10);
  await Promise.all(pools.map((pool) => pool.end()));
}

async function ping(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}

/** Whether a write failed because a unique index already had the value. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = (error as { cause?: unknown }).cause ?? error;
  const { code, constraint: violated } = cause as { code?: string; constraint?: string };
  return code === '23505' && (constraint === undefined || violated === constraint);
}
