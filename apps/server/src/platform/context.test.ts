import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../test/test-app.ts';
import type { Transaction } from './db/database.ts';
import { isUniqueViolation } from './db/database.ts';
import { preparedStatement } from './db/prepared-statement.ts';
import { topicPositions } from './realtime/table.ts';

const topic = (name: string) => ({ topic: name, position: 1 });
const insert = (tx: Transaction, name: string) => tx.insert(topicPositions).values(topic(name)).execute();

async function setUp() {
  const { app, database } = await createTestApp();
  const names = async () => (await database.db.select().from(topicPositions)).map((row) => row.topic);
  return { ctx: app.system(), db: database.db, names };
}

describe('a write', () => {
  test('fails whole when its last statement does, and says with what', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const failing = ctx.write(async ({ tx, emit, last }) => {
      await insert(tx, 'one');
      await emit('contact.received', { message_id: crypto.randomUUID() });
      last(() => insert(tx, 'one'));
    });
    await expect(failing).rejects.toSatisfy((error) => isUniqueViolation(error));
    expect(await names()).toEqual(before);
    await ctx.write(({ tx }) => insert(tx, 'one'));
    expect(await names()).toEqual([...before, 'one']);
  });

  test('is not committed when a failure in it was ignored', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const failing = ctx.write(async ({ tx }) => {
      await insert(tx, 'one');
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await expect(failing).rejects.toThrow();
    expect(await names()).toEqual(before);
  });

  test('cannot be added to when it is over', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const tx = await ctx.write(async (write) => write.tx);
    await expect(insert(tx, 'late')).rejects.toThrow();
    expect(await names()).toEqual(before);
  });

  test('leaves a statement that is parsed once as it was when a value of it cannot even be sent', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const inserting = preparedStatement(sql`insert into ${topicPositions} values (${sql.placeholder('name')}, 1)`);
    const store = async (...all: unknown[]) =>
      ctx.write(async ({ tx }) => {
        for (const name of all)
          tx.execute(inserting({ name }))
            .execute()
            .catch(() => {});
        const { rows } = (await tx.execute(sql`select pg_backend_pid() as connection`)) as unknown as {
          rows: { connection: number }[];
        };
        return rows[0]?.connection;
      });
    const unsendable = {
      toJSON: () => {
        throw new Error('No words for it');
      },
    };
    // Before it is parsed on this connection, and after.
    await expect(store(unsendable)).rejects.toThrow('No words for it');
    const connection = await store('one');
    await expect(store('two', unsendable)).rejects.toThrow('No words for it');
    expect(await store('three')).toBe(connection);
    expect(await names()).toEqual([...before, 'one', 'three']);
  });
});
