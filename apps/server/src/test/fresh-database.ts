import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { type SQL, sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { newId } from '../platform/db/columns.ts';
import {
  type Database,
  embeddedOptions,
  type OpenDatabase,
  openDatabase,
  wrapEmbedded,
} from '../platform/db/database.ts';
import { templateDatabase } from './setup-postgres.ts';

/** A migrated database without rows. */
export function freshDatabase(): Promise<OpenDatabase> {
  return process.env.TEST_DATABASE === 'postgres' ? freshPostgres() : freshEmbedded();
}

/**
 * Those whose app is closed, with connections that have planned already. Another from the template takes ten times as long as
 * deleting the rows; truncating takes nearly as long as that.
 */
const emptied: Emptiable[] = [];
const ours = 'lent_to_tests';

interface Emptiable extends OpenDatabase {
  /** Deletes all rows. */
  statement: string;
}

async function freshPostgres(): Promise<OpenDatabase> {
  const { statement, ...database } = emptied.pop() ?? (await createPostgres());
  let isClosed = false;
  // Whoever still asks after its app was closed must fail, not write into the next test's database.
  const db = new Proxy(database.db, {
    get(target, key) {
      if (isClosed) throw new Error('The database was closed');
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    ...database,
    db,
    async close() {
      isClosed = true;
      const isEmpty = await emptyPostgres(database, statement).catch(() => false);
      if (isEmpty) emptied.push({ ...database, statement });
      else await database.close();
    },
  };
}

async function createPostgres(): Promise<Emptiable> {
  const url = inject('postgresUrl');
  const name = `test_${newId().replaceAll('-', '')}`;
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`create database ${name} template ${templateDatabase}`);
  await pool.end();
  const own = url.replace(/\/postgres$/, `/${name}?application_name=${ours}`);
  const database = await openDatabase({ url: own, dataFolder: '' });
  const statements = await rowsOf<{ text: string }>(
    database.db,
    sql`select format('delete from %I;', tablename) as text from pg_tables where schemaname = 'public' union all
      select format('alter sequence %I restart;', sequencename) from pg_sequences where schemaname = 'public'`,
  );
  // The books refuse to be emptied.
  const all = statements.map(({ text }) => text).join('\n');
  return { ...database, statement: `begin; set local session_replication_role = replica; ${all} commit` };
}

/** Fails where a test has changed the tables, and says no where it is still used, by a process of its own for instance. */
async function emptyPostgres({ db, isIdle }: OpenDatabase, statement: string): Promise<boolean> {
  // What was begun before its app was closed may still write; it takes no longer than the machine is slow.
  for (let attempt = 0; !isIdle(); attempt++) {
    if (attempt === 400) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [seen] = await rowsOf<{ others: number; isLarge: boolean }>(
    db,
    sql`select count(*)::int as others, pg_database_size(current_database()) > 40000000 as "isLarge"
      from pg_stat_activity where datname = current_database() and application_name <> ${ours}`,
  );
  if (!seen || seen.others > 0 || seen.isLarge) return false;
  await db.execute(sql.raw(statement));
  return true;
}

const rowsOf = async <Row>(db: Database, query: SQL) => ((await db.execute(query)) as unknown as { rows: Row[] }).rows;

/** Those whose app is closed. Opening one takes a second, emptying one a moment. No test there may change the tables. */
const unused: PGlite[] = [];

async function freshEmbedded(): Promise<OpenDatabase> {
  const client = unused.pop() ?? (await openMigrated());
  let isClosed = false;
  // Whoever still asks after its app was closed must fail, not write into the next test's database.
  const lent = new Proxy(client, {
    get(target, key) {
      if (isClosed) throw new Error('PGlite is closed');
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    ...(await wrapEmbedded(lent)),
    async close() {
      isClosed = true;
      await empty(client);
      unused.push(client);
    },
  };
}

async function openMigrated(): Promise<PGlite> {
  const loadDataDir = new Blob([await readFile(inject('embeddedDump'))]);
  const client = await PGlite.create({ ...embeddedOptions, loadDataDir });
  const filled = await filledTables(client);
  if (filled.length > 0) throw new Error(`A migration puts rows into ${filled}, which emptying would lose`);
  return client;
}

async function empty(client: PGlite): Promise<void> {
  // Of somebody who was in the middle of a transaction.
  await client.exec('rollback');
  const filled = await filledTables(client);
  if (filled.length === 0) return;
  // The books refuse to be emptied.
  await client.exec(`
    set session_replication_role = replica;
    truncate ${filled} restart identity cascade;
    set session_replication_role = origin;
  `);
}

async function filledTables(client: PGlite): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const counts = tables.rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
  const filled = await client.query<{ name: string }>(counts.join(' union all '));
  return filled.rows.map(({ name }) => name);
}
