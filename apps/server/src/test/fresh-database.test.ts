import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import type { OpenDatabase } from '../platform/db/database.ts';
import { topicPositions } from '../platform/realtime/table.ts';
import { freshDatabase } from './fresh-database.ts';

/** What other tests rely on: they use each other's databases. */

const nameOf = async ({ db }: OpenDatabase) =>
  ((await db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }).rows[0]?.name;

test('a database that is used again has no rows, also not of what was under way when it was closed', async () => {
  const first = await freshDatabase();
  const name = await nameOf(first);
  await first.db.insert(topicPositions).values({ topic: 'before', position: 1 });
  // It waits for a connection that is not there yet.
  const late = first.db.transaction((tx) => tx.insert(topicPositions).values({ topic: 'late', position: 1 }));
  await Promise.all([first.close(), late]);
  expect(() => first.db.select()).toThrow('closed');
  const second = await freshDatabase();
  onTestFinished(() => second.close());
  expect(await nameOf(second)).toBe(name);
  expect(await second.db.select().from(topicPositions)).toEqual([]);
});

test('one whose tables were changed is not used again', async () => {
  const first = await freshDatabase();
  const name = await nameOf(first);
  await first.db.execute(sql`drop table topics`);
  await first.close();
  const second = await freshDatabase();
  onTestFinished(() => second.close());
  expect(await nameOf(second)).not.toBe(name);
});
