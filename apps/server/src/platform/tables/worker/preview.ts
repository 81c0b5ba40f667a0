import { type Answers, type Job, TableProblem } from '../jobs.ts';
import { describeTable, shown } from './columns.ts';
import type { DuckDb } from './duckdb.ts';
import { cells, publicColumns, roomFor } from './page.ts';
import { scanOf } from './scan.ts';

/** Reads the first rows straight from the file, while the conversion is still running. */
export async function previewTable(db: DuckDb, job: Extract<Job, { kind: 'preview' }>): Promise<Answers['preview']> {
  if (job.format === 'xlsx')
    throw new TableProblem({ reason: 'unreadable', message: 'A workbook is read as a whole.' });
  const table = await describeTable(db, await scanOf(db, job.path, job.format));
  const room = roomFor(table, job.limit);
  const list = table.columns.map((column) => shown(column, room)).join(', ');
  const rows = await db.run(`select ${list} from ${table.from} limit ${job.limit} offset ${job.offset}`);
  return { columns: publicColumns(table), rows: rows.map((row) => cells(table, row)) };
}
