import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { newId } from '../platform/db/columns.ts';
import { embeddedOptions, type OpenDatabase, openDatabase, wrapEmbedded } from '../platform/db/database.ts';
import { templateDatabase } from './setup-postgres.ts';

/** A migrated database without rows. */
export function freshDatabase(): Promise<OpenDatabase> {
  return process.env.TEST_DATABASE === 'postgres' ? freshPostgres() : freshEmbedded();
}

async function freshPostgres(): Promise<OpenDatabase> {
  const url = inject('postgresUrl');
  const name = `test_${newId().replaceAll('-', '')}`;
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`create database ${name} template ${templateDatabase}`);
  await pool.end();
  return openDatabase({ url: url.replace(/\/postgres$/, `/${name}`), dataFolder: '' });
}

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
