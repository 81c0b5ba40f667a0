import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contents, type Job, TableProblem } from '../jobs.ts';
import { describeTable } from './columns.ts';
import type { DuckDb } from './duckdb.ts';
import { toParquet } from './parquet.ts';
import { scanOf } from './scan.ts';

type ConvertJob = Extract<Job, { kind: 'convert' }>;

/** Converts a file once to parquet, which answers any later question quickly. */
export async function convert(db: DuckDb, job: ConvertJob): Promise<Contents> {
  const contents = job.format === 'xlsx' ? await workbookOf(db, job) : await convertText(db, job, job.format);
  await writeFile(join(job.folder, 'contents.json'), JSON.stringify(contents));
  return contents;
}

/** Loads the workbook reader only for workbooks, because most tables are none. */
const workbookOf = async (db: DuckDb, job: ConvertJob): Promise<Contents> =>
  (await import('./excel.ts')).convertWorkbook(db, job);

/**
 * Tries each way of reading in turn, because a value that does not fit the types, or text that is not UTF-8, needs another.
 */
async function convertText(
  db: DuckDb,
  { path, folder }: ConvertJob,
  format: Exclude<ConvertJob['format'], 'xlsx'>,
): Promise<Contents> {
  const ways: Parameters<typeof scanOf>[3][] = [{}, { isThorough: true }, { isThorough: true, encoding: 'latin-1' }];
  let first: unknown;
  for (const [index, way] of ways.entries()) {
    try {
      const scan = await scanOf(db, path, format, way);
      const { columns } = await describeTable(db, scan);
      if (columns.length === 0) throw new TableProblem({ reason: 'unreadable', message: 'There is no column in it.' });
      await toParquet(db, `select * from ${scan}`, folder, 0);
      return { sheets: null };
    } catch (error) {
      first ??= error;
      const isEncoding = /not utf-8|invalid unicode/i.test(String(error));
      const isLast = index === ways.length - 1;
      if (isLast || error instanceof TableProblem || isInterrupted(error)) throw first;
      if (index === 1 && !(isEncoding && format !== 'json')) throw first;
    }
  }
  throw first;
}

const isInterrupted = (error: unknown) => /INTERRUPT|Out of Memory/i.test(String((error as Error)?.message));
