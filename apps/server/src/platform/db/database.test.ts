import { sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { rowsOf } from './rows.ts';

const limits = sql`select name, setting::int as ms from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`;

test('ends statements that take too long, in transactions and outside, also on the first connection', async () => {
  const { db, close } = await openDatabase({ url: inject('postgresUrl'), dataFolder: '' });
  onTestFinished(close);
  const expected = [
    { name: 'idle_in_transaction_session_timeout', ms: 60_000 },
    { name: 'statement_timeout', ms: 300_000 },
  ];
  // The connection that has migrated is the only one so far.
  expect(rowsOf(await db.execute(limits))).toEqual(expected);
  await db.transaction(async (tx) => expect(rowsOf(await tx.execute(limits))).toEqual(expected));
});

test('refuses a database of a newer version, names both versions, and changes nothing in it', async () => {
  const server = new Pool({ connectionString: inject('postgresUrl'), max: 1 });
  await server.query('create database of_a_newer_version');
  const url = inject('postgresUrl').replace(/\/postgres$/, '/of_a_newer_version');
  const own = new Pool({ connectionString: url, max: 1 });
  onTestFinished(async () => {
    await own.end();
    await server.query('drop database of_a_newer_version');
    await server.end();
  });
  await (await openDatabase({ url, dataFolder: '' })).close();
  await own.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', extract(epoch from timestamp '2100-01-01') * 1000)",
  );
  await expect(openDatabase({ url, dataFolder: '' })).rejects.toThrow(
    /of a newer version of Atoll: its newest migration is of 2100-01-01T00:00:00.000Z, the newest that this version knows is \d{4}_\w+ of 20/,
  );
  await own.query("delete from drizzle.__drizzle_migrations where hash = 'newer'");
  await (await openDatabase({ url, dataFolder: '' })).close();
});
