import { sql } from 'drizzle-orm';
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import type { PgDialect } from 'drizzle-orm/pg-core';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { assertOutsideTransaction, inTransactionScope } from './transaction-scope.ts';

type NoSchema = Record<string, never>;
type Prepare = NodePgSession<NoSchema, NoSchema>['prepareQuery'];
type Ask = (config: QueryConfig, values: unknown[]) => Promise<unknown>;
type Work<Result> = (tx: NodePgTransaction<NoSchema, NoSchema>) => Promise<Result>;

/** Marks a statement with a constant text that finds its rows by key, so that it is parsed once. */
export const prepared = sql.raw('/* prepared */');

/** Drizzle's session with less waiting: each connection parses inserts once, and transactions are our own. */
class PreparingSession extends NodePgSession<NoSchema, NoSchema> {
  /** Calls `onUnsent` with the error when a statement did not even reach the database. */
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
 * Encodes values before the statement is sent. node-postgres encodes them afterwards: if that fails, it drops a prepared
 * statement, perhaps one prepared long ago, and still uses its name again.
 */
function encoded(values: unknown[], onUnsent: (error: Error) => void): unknown[] {
  try {
    return values.map(encode);
  } catch (error) {
    onUnsent(error as Error);
    throw error;
  }
}

/** Encodes the values that can fail; pg sends text as it is, also within lists. */
function encode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encode);
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Date) && !ArrayBuffer.isView(value);
  return isJson ? JSON.stringify(value) : value;
}

/**
 * Each connection keeps at most this many names. Longer inserts have many rows, and each number of rows is another text.
 */
const maxNames = 200;
const maxNamedLength = 1_000;
const names = new Map<string, string>();

/** Names inserts and marked statements only: for queries that search, PostgreSQL should plan with the actual values. */
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

  /** Connections in `transactions` are read-only outside of an explicit read-write transaction. */
  constructor(pool: Pool, transactions: Pool, dialect: PgDialect) {
    super(pool, dialect);
    this.#pool = transactions;
    this.#dialect = dialect;
  }

  protected override assertUsable(): void {
    assertOutsideTransaction();
    if (this.#isClosed) throw new Error('The database was closed');
  }

  /** Statements in progress and waiting ones finish; no new ones begin. */
  close(): void {
    this.#isClosed = true;
  }

  /** Statements that were begun and not awaited travel with the commit; if one fails, nothing is committed. */
  override async transaction<Result>(work: Work<Result>): Promise<Result> {
    this.assertUsable();
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    let unsent: Error | undefined;
    let isOver = false;
    // Statements fail with a connection that breaks; without a listener the process would end.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    // A statement after the commit would be committed alone.
    const query: Ask = (config, values) => {
      if (isOver) throw new Error('The transaction is over');
      return client.query(config, values);
    };
    const session = new PreparingSession({ query }, this.#dialect, (error) => {
      unsent = error;
    });
    try {
      // Do not wait: the first statement travels with `begin`. If `begin` fails, the rest is outside of a transaction and
      // refused.
      const begun = client.query('begin read write');
      begun.catch(() => {});
      const result = await inTransactionScope(() => work(new NodePgTransaction(this.#dialect, session, undefined)));
      isOver = true;
      // The statement may not have been awaited, and the database does not know of it.
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
