import { sql } from 'drizzle-orm';
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import type { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { assertOutsideTransaction, inTransactionScope } from './transaction-scope.ts';

type NoSchema = Record<string, never>;
type Prepare = NodePgSession<NoSchema, NoSchema>['prepareQuery'];
type Ask = (config: QueryConfig, values: unknown[]) => Promise<unknown>;
type Work<Result> = (tx: NodePgTransaction<NoSchema, NoSchema>) => Promise<Result>;

/** In a statement whose text is always the same and that finds its rows by their keys: it is parsed once. */
export const prepared = sql.raw('/* prepared */');

/** Drizzle's session, with less waiting: inserts are parsed once for each connection, and transactions are our own. */
class PreparingSession extends NodePgSession<NoSchema, NoSchema> {
  /** `onUnsent` is told of a statement that did not even reach the database. */
  constructor(client: { query: Ask }, dialect: PgDialect, onUnsent: (error: Error) => void = () => {}) {
    const query: Ask = (config, values) => client.query(config, encoded(values, onUnsent));
    super({ query } as unknown as PoolClient, dialect, undefined);
  }

  override prepareQuery: Prepare = (query, fields, name, ...rest) => {
    this.assertUsable();
    return super.prepareQuery(query, fields, name ?? nameOf(query.sql), ...rest);
  };

  protected assertUsable(): void {}
}

/**
 * As they are sent. node-postgres itself encodes them when it has sent the statement already: should that fail, it takes
 * back what it has just had parsed, or had parsed long ago, and uses the name again all the same.
 */
function encoded(values: unknown[], onUnsent: (error: Error) => void): unknown[] {
  try {
    return values.map(encode);
  } catch (error) {
    onUnsent(error as Error);
    throw error;
  }
}

/** What can fail is encoded here; pg leaves text as it is, also within lists. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value);
  return isJson ? JSON.stringify(value) : value;
}

/** So many are kept on each connection; longer ones are of many rows, and each number of rows is a text of its own. */
const maxNames = 200;
const maxNamedLength = 1_000;
const names = new Map<string, string>();

/** Inserts, and what says so itself: where rows are looked for, PostgreSQL should plan for the values asked about. */
function nameOf(text: string): string | undefined {
  const isMarked = text.includes('/* prepared */');
  const isShortInsert = text.startsWith('insert into') && text.length <= maxNamedLength;
  if (!isShortInsert && !isMarked) return undefined;
  const known = names.get(text);
  if (known || (names.size >= maxNames && !isMarked)) return known;
  const name = `statement_${names.size}`;
  names.set(text, name);
  return name;
}

export class PostgresSession extends PreparingSession {
  readonly #pool: Pool;
  readonly #dialect: PgDialect;
  #isClosed = false;

  /** `transactions` has connections that write nothing but in transactions that say so. */
  constructor(pool: Pool, transactions: Pool, dialect: PgDialect) {
    super(pool, dialect);
    this.#pool = transactions;
    this.#dialect = dialect;
  }

  protected override assertUsable(): void {
    assertOutsideTransaction();
    if (this.#isClosed) throw new Error('The database was closed');
  }

  /** What is under way, or waits for a connection, comes to an end; nothing new begins. */
  close(): void {
    this.#isClosed = true;
  }

  /** Statements that were begun and not waited for travel with the commit; should one fail, nothing is committed. */
  override async transaction<Result>(work: Work<Result>): Promise<Result> {
    this.assertUsable();
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    let unsent: Error | undefined;
    let isOver = false;
    // Its statements fail with a connection that breaks; without a listener the process would end.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    // What comes after the commit would be committed alone.
    const query: Ask = (config, values) => {
      if (isOver) throw new Error('The transaction is over');
      return client.query(config, values);
    };
    const session = new PreparingSession({ query }, this.#dialect, (error) => {
      unsent = error;
    });
    try {
      // Not waited for: the first statement travels with it. Should it fail, what follows is outside of a transaction and refused.
      const begun = client.query('begin read write');
      begun.catch(() => {});
      const result = await inTransactionScope(() => work(new NodePgTransaction(this.#dialect, session, undefined)));
      isOver = true;
      // Nobody may have waited for it, and the database knows nothing of it.
      if (unsent) throw unsent;
      const [{ command }] = await Promise.all([client.query('commit'), begun]);
      if (command === 'ROLLBACK') throw new Error('A statement of the transaction failed, so it was rolled back');
      return result;
    } catch (error) {
      isOver = true;
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}
