import { sql } from 'drizzle-orm';
import { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import { Pool, type PoolClient } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { PostgresSession } from './postgres-session.ts';

/** Creates a table for numbers; `begin` replaces the usual statement that begins a transaction. */
async function numbers(begin = 'begin read write') {
  const connection = { connectionString: inject('postgresUrl'), pipeline: true };
  const pool = new Pool(connection);
  const transactions = new Pool({ ...connection, options: '-c default_transaction_read_only=on' });
  transactions.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(client, {
      query: (text: unknown, ...rest: unknown[]) => query(text === 'begin read write' ? begin : text, ...rest),
    });
  });
  onTestFinished(async () => {
    await Promise.all([pool.end(), transactions.end()]);
  });
  const dialect = new PgDialect();
  const db = new NodePgDatabase(dialect, new PostgresSession(pool, transactions, dialect), undefined);
  await db.execute(sql`create table if not exists numbers_of_sessions (number int primary key)`);
  await db.execute(sql`truncate numbers_of_sessions`);
  return {
    db,
    insert: (number: number) => sql`insert into numbers_of_sessions values (${number})`,
    count: async () => (await db.execute(sql`select * from numbers_of_sessions`)).rows.length,
  };
}

test('stores statements that were begun without waiting with the commit', async () => {
  const { db, insert, count } = await numbers();
  await db.transaction(async (tx) => {
    for (const number of [1, 2]) void tx.execute(insert(number)).execute();
  });
  expect(await count()).toBe(2);
});

test('a failing statement fails the whole transaction, whether or not it was awaited', async () => {
  const { db, insert, count } = await numbers();
  const failed = db.transaction(async (tx) => {
    const all = [1, 1, 2].map((number) => tx.execute(insert(number)).execute());
    for (const each of all) each.catch(() => {});
  });
  await expect(failed).rejects.toThrow();
  expect(await count()).toBe(0);
});

test('a transaction that does not begin writes nothing, even when its beginning is not awaited', async () => {
  const { db, insert, count } = await numbers('begin nonsense');
  const failed = db.transaction(async (tx) => {
    const all = [1, 2].map((number) => tx.execute(insert(number)).execute());
    for (const each of all) each.catch(() => {});
  });
  await expect(failed).rejects.toThrow();
  expect(await count()).toBe(0);
});
