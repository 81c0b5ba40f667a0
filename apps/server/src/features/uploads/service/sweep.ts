import { lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { assets, uploads } from '../table.ts';
import { sweepParts } from './parts.ts';
import { day } from './slots.ts';

/** Looking through the whole store is for the quiet hours; the rest is done every hour. */
const nightHour = 3;

export async function sweepStorage(ctx: Context): Promise<void> {
  const yesterday = new Date(ctx.now().getTime() - day);
  await ctx.db.delete(uploads).where(lt(uploads.createdAt, yesterday));
  await sweepParts(ctx, yesterday);
  await sweepAssets(ctx);
  if (ctx.now().getUTCHours() === nightHour) await sweepBlobs(ctx);
}

interface Column {
  table: string;
  column: string;
}

/**
 * Every column that names a blob, or an asset, by its own name: `blob`, `…_blob`, `…asset_id`. Found in the database
 * itself, so that a table added later is not forgotten and its bytes deleted.
 */
async function columnsNamed(db: Database, name: 'blob' | 'asset_id'): Promise<Column[]> {
  const found = await db.execute(sql`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and (column_name = ${name} or column_name like ${`%\\_${name}`})`);
  return rowsOf<Column>(found);
}

/** What no row shows any longer: its project or person is gone. */
export async function sweepAssets(ctx: Context): Promise<void> {
  const unused: SQL[] = (await columnsNamed(ctx.db, 'asset_id')).map(
    ({ table, column }) =>
      sql`not exists (select 1 from ${sql.identifier(table)} where ${sql.identifier(table)}.${sql.identifier(column)} = assets.id)`,
  );
  // The theme keeps its pictures by name.
  unused.push(
    sql`not exists (select 1 from themes, jsonb_each_text(themes.pictures) as picture where picture.value = assets.id::text)`,
  );
  await ctx.db.delete(assets).where(sql.join(unused, sql` and `));
}

const batchSize = 500;

/**
 * Blobs no row refers to: set aside when they are a day old, deleted after another day. A blob between being stored and
 * being referred to is younger than that; one that is stored again in the moment it is set aside is found where it lies,
 * and brought back here.
 */
export async function sweepBlobs(ctx: Context): Promise<void> {
  const columns = await columnsNamed(ctx.db, 'blob');
  const before = new Date(ctx.now().getTime() - day);
  let batch: { sha256: string; isAside: boolean; since: Date }[] = [];
  const settle = async () => {
    const used = await usedAmong(
      ctx.db,
      columns,
      batch.map(({ sha256 }) => sha256),
    );
    // What was set aside before goes first: else what takes its place would go with it.
    for (const { sha256, isAside, since } of batch.sort((one, other) => Number(other.isAside) - Number(one.isAside))) {
      if (used.has(sha256)) {
        if (isAside) await ctx.blobs.restore(sha256);
      } else if (isAside) await ctx.blobs.delete(sha256, since);
      else await ctx.blobs.setAside(sha256);
    }
    batch = [];
  };
  for await (const blob of ctx.blobs.list()) {
    if (blob.since > before) continue;
    batch.push(blob);
    if (batch.length === batchSize) await settle();
  }
  await settle();
}

async function usedAmong(db: Database, columns: Column[], hashes: string[]): Promise<Set<string>> {
  const used = new Set<string>();
  if (hashes.length === 0) return used;
  for (const { table, column } of columns) {
    const name = sql.identifier(column);
    const found = await db.execute(
      sql`select distinct ${name} as blob from ${sql.identifier(table)} where ${name} in ${hashes}`,
    );
    for (const { blob } of rowsOf<{ blob: string }>(found)) used.add(blob);
  }
  return used;
}
