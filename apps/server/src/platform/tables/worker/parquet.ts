import { join } from 'node:path';
import { type DuckDb, quotedText } from './duckdb.ts';

/** Writes the rows of our own statement as the file of one table. */
export async function toParquet(db: DuckDb, select: string, folder: string, index: number): Promise<void> {
  const target = quotedText(join(folder, `${index}.parquet`));
  await db.run(`copy (${select}) to ${target} (format parquet, compression zstd)`);
}
