import { sql } from 'drizzle-orm';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import { rowsOf } from './rows.ts';

const limits = sql`select name, setting::int as ms from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`;

test('statements are ended that take too long, in transactions and outside; also on the connection that has migrated', async () => {
  const { db, close } = await openDatabase({ url: inject('postgresUrl'), dataFolder: '' });
  onTestFinished(close);
  const expected = [
    { name: 'idle_in_transaction_session_timeout', ms: 60_000 },
    { name: 'statement_timeout', ms: 300_000 },
  ];
  // The only connection that there is so far is the one that has migrated.
  expect(rowsOf(await db.execute(limits))).toEqual(expected);
  await db.transaction(async (tx) => expect(rowsOf(await tx.execute(limits))).toEqual(expected));
});
