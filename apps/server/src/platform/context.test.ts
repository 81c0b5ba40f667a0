import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../test/test-app.ts';
import { anonymous } from './actor.ts';
import { type Context, createContext } from './context.ts';
import type { Transaction } from './db/database.ts';
import { isUniqueViolation } from './db/database.ts';
import { preparedStatement } from './db/prepared-statement.ts';
import { outsideTransaction } from './db/transaction-scope.ts';
import { eventsTable } from './events/table.ts';
import { topicPositions } from './realtime/table.ts';

const topic = (name: string) => ({ topic: name, position: 1 });
const insert = (tx: Transaction, name: string) => tx.insert(topicPositions).values(topic(name)).execute();

async function setUp() {
  const { app, database } = await createTestApp();
  const names = async () => (await database.db.select().from(topicPositions)).map((row) => row.topic);
  return { ctx: app.system(), db: database.db, names };
}

describe('a context', () => {
  const somebody = { kind: 'user', userId: crypto.randomUUID(), isAdmin: false } as const;

  test('acts for another person with their rights, without the credentials of the caller, and stores nothing while masked', async () => {
    const { ctx: system, db } = await setUp();
    const admin = { ...anonymous, kind: 'user', userId: crypto.randomUUID(), isAdmin: true } as const;
    const behind = crypto.randomUUID();
    const ctx = createContext(system, {
      ...system,
      requestId: 'the-request',
      actor: { ...admin, impersonatorId: behind, via: 'bearer', isRecentlyAuthenticated: true },
      credentials: { ...system.credentials, token: 'secret', ip: '192.0.2.1' },
    });
    const theirs = ctx.as(somebody);
    const row = { userId: somebody.userId };
    expect(ctx.permitted(['session.end'], row)).toEqual([]);
    expect(theirs.permitted(['session.end'], row)).toEqual(['session.end']);
    expect(() => ctx.authorize('session.end', row)).toThrow();
    theirs.authorize('session.end', row);
    expect(theirs).toMatchObject({ credentials: { token: null, ip: '' }, actor: { via: 'none', isAdmin: false } });
    expect(theirs.actor.isRecentlyAuthenticated).toBe(false);

    const message_id = crypto.randomUUID();
    const write = () => theirs.write(({ emit }) => emit('contact.received', { message_id }));
    await expect(write()).rejects.toThrow('change nothing');
    theirs.permitMaskedWrites();
    await write();
    const events = await db.select().from(eventsTable).where(eq(eventsTable.requestId, 'the-request'));
    expect(events).toMatchObject([{ actorId: somebody.userId, impersonatorId: behind, payload: { message_id } }]);
  });

  test('reads and writes within a transaction as part of it, also for another person', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    ctx.pendingRowCheck = 'session.end';
    const failing = ctx.write(async (write) => {
      const inner = ctx.within(write);
      await inner.write(({ tx }) => insert(tx, 'one'));
      await inner.as(somebody).write(({ tx }) => insert(tx, 'two'));
      expect(await inner.as(somebody).db.select().from(topicPositions)).toHaveLength(before.length + 2);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await names()).toEqual(before);
    // A row check made inside the transaction counts for the whole call.
    const mine = ctx.as(somebody);
    mine.pendingRowCheck = 'session.end';
    await mine.write(async (write) => mine.within(write).authorize('session.end', { userId: somebody.userId }));
    expect(mine.pendingRowCheck).toBeNull();
  });

  test('cannot be copied with other fields in it', async () => {
    const { ctx } = await setUp();
    // @ts-expect-error its checks would be about the actor it was copied from
    const copied: Context = { ...ctx, actor: anonymous };
    // @ts-expect-error its writes would be part of another transaction
    const joined: Context = { ...ctx, db: ctx.db, write: (part) => ctx.write(part) };
    const change = () => {
      // @ts-expect-error nor changed
      ctx.actor = anonymous;
    };
    expect([copied, joined, change]).toHaveLength(3);
  });
});

describe('a write', () => {
  test('fails whole when its last statement fails, and reports the reason', async () => {
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

  test('is the only way to the database while it lasts, also for callers that hold another context', async () => {
    const { ctx, db, names } = await setUp();
    const others: (() => Promise<unknown>)[] = [
      async () => db.select().from(topicPositions),
      () => ctx.db.transaction(async (tx) => insert(tx, 'inner')),
      () => ctx.write(({ tx }) => insert(tx, 'inner')),
      () => ctx.as({ kind: 'user', userId: null, isAdmin: false }).write(({ tx }) => insert(tx, 'inner')),
      async () => ctx.db.execute(sql`select 1`),
    ];
    const before = await names();
    for (const other of others) {
      const failing = ctx.write(async ({ tx }) => {
        await insert(tx, 'outer');
        // It also refuses access by a detour.
        await new Promise((resolve) => setImmediate(resolve));
        await other();
      });
      await expect(failing).rejects.toThrow('Use tx inside ctx.write');
    }
    expect(await names()).toEqual(before);
    await ctx.write(async ({ tx }) => {
      // Building a query does not run it.
      const all = db.select({ topic: topicPositions.topic }).from(topicPositions);
      return tx.select().from(topicPositions).where(inArray(topicPositions.topic, all));
    });
  });

  test('leaves alone work that runs beside it, comes after it, or was begun in it and outlives it', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const over = Promise.withResolvers<void>();
    const after = Promise.withResolvers<string[]>();
    let outliving: Promise<string[]> | undefined;
    let aside: Promise<string[]> | undefined;
    const writing = ctx.write(async (write) => {
      await insert(write.tx, 'one');
      outliving = over.promise.then(names);
      aside = outsideTransaction(names);
      write.after(() => after.resolve(names()));
    });
    const [, beside] = await Promise.all([writing, names()]);
    over.resolve();
    for (const seen of [beside, await aside]) expect([before, [...before, 'one']]).toContainEqual(seen);
    for (const seen of [await outliving, await after.promise]) expect(seen).toEqual([...before, 'one']);
  });

  test('cannot be added to when it is over', async () => {
    const { ctx, names } = await setUp();
    const before = await names();
    const tx = await ctx.write(async (write) => write.tx);
    await expect(insert(tx, 'late')).rejects.toThrow();
    expect(await names()).toEqual(before);
  });

  test('keeps a statement that is parsed once intact when one of its values cannot be sent', async () => {
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
    // Try it before the statement is parsed on this connection, and after.
    await expect(store(unsendable)).rejects.toThrow('No words for it');
    const connection = await store('one');
    await expect(store('two', unsendable)).rejects.toThrow('No words for it');
    expect(await store('three')).toBe(connection);
    expect(await names()).toEqual([...before, 'one', 'three']);
  });
});
