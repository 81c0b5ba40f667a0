import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Pool, PoolClient } from 'pg';
import { StartError } from '../start-error.ts';

const migrationsFolder = join(import.meta.dirname, '../../migrations');

interface Journal {
  entries: { tag: string; when: number }[];
}

/** Migrates the tables to this version. A newer version's tables are left alone: older code would write wrong rows. */
export async function migrateDatabase(connection: Pool | PoolClient): Promise<void> {
  await refuseNewer(connection);
  await migrate(drizzle(connection as Pool), { migrationsFolder });
}

async function refuseNewer(connection: Pool | PoolClient): Promise<void> {
  const { rows: found } = await connection.query<{ name: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations') as name`,
  );
  if (!found[0]?.name) return;
  const { rows } = await connection.query<{ newest: string | null }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  );
  const newest = Number(rows[0]?.newest ?? 0);
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as Journal;
  const known = entries.at(-1);
  if (!known || newest <= known.when) return;
  throw new StartError(
    `The database is of a newer version of Atoll: its newest migration is of ${new Date(newest).toISOString()}, the newest that this version knows is ${known.tag} of ${new Date(known.when).toISOString()}. Start the newer version, or restore the backup from before its upgrade (docs/OPERATIONS.md).`,
  );
}
