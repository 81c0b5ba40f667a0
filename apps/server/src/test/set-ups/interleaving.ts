import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { rowsOf } from '../../platform/db/rows.ts';

/** Two things are done at once; the first is stopped before one of its statements, and the second comes. */

/** Stops the statements of one act from the given one on, until it is let go. */
class Hold {
  #count = 0;
  readonly #before: number;
  readonly #let = Promise.withResolvers<void>();
  readonly #reached = Promise.withResolvers<void>();

  constructor(before: number) {
    this.#before = before;
  }

  get count() {
    return this.#count;
  }

  reached = () => this.#reached.promise;
  letGo = () => this.#let.resolve();

  next(): Promise<void> | null {
    this.#count += 1;
    if (this.#count < this.#before) return null;
    this.#reached.resolve();
    return this.#let.promise;
  }
}

const holding = new AsyncLocalStorage<Hold>();
type Query = (this: Client, ...args: unknown[]) => unknown;
const { query } = Client.prototype as unknown as { query: Query };

/** For all tests of a file. */
export function useInterleaving(): void {
  beforeAll(() => {
    Object.assign(Client.prototype, {
      query(this: Client, ...args: unknown[]) {
        const ready = holding.getStore()?.next();
        return ready ? ready.then(() => query.apply(this, args)) : query.apply(this, args);
      },
    });
  });
  afterAll(() => void Object.assign(Client.prototype, { query }));
}

async function isWaitingForLock(db: Database): Promise<boolean> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rowsOf(await db.execute(waiting)).length > 0;
}

/** Until it has ended, or waits for what the first one has locked. */
async function settledOrWaiting(db: Database, work: Promise<unknown>) {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  void work.then(settle, settle);
  while (!isSettled && !(await isWaitingForLock(db))) await wait(2);
}

interface Acts<First, Second> {
  first: () => Promise<First> | First;
  second: () => Promise<Second> | Second;
  /** The statement of the first one that waits for the second, counted from 1. */
  before: number;
}

/** Answers how both have ended, and how many statements the first one had: fewer than `before`, and it was not stopped. */
export async function interleave<First, Second>(db: Database, { first, second, before }: Acts<First, Second>) {
  const hold = new Hold(before);
  const held = holding.run(hold, () => Promise.resolve(first()));
  held.catch(() => {});
  await Promise.race([hold.reached(), held.catch(() => {})]);
  const next = Promise.resolve(second());
  await settledOrWaiting(db, next);
  hold.letGo();
  const [one, other] = await Promise.allSettled([held, next]);
  return { one, other, count: hold.count };
}
