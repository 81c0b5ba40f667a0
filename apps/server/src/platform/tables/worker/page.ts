import type { Cell } from '@atoll/contract';
import type { Answers, Job } from '../jobs.ts';
import { asText, columnNamed, parquetTable, rowPlace, shown, type Table, toCell } from './columns.ts';
import type { DuckDb } from './duckdb.ts';
import { whereOf } from './filters.ts';

const longestText = 1_000;
/** So many characters at most in one answer, whatever is in the file. */
const answerRoom = 16_000_000;

export const roomFor = (table: Table, rows: number): number =>
  Math.max(40, Math.min(longestText, Math.floor(answerRoom / Math.max(1, rows * table.columns.length))));

export const publicColumns = (table: Table) => table.columns.map(({ name, type, kind }) => ({ name, type, kind }));

export async function readPage(db: DuckDb, job: Extract<Job, { kind: 'page' }>): Promise<Answers['page']> {
  const table = await parquetTable(db, job.path);
  const where = await whereOf(db, table, job);
  const { limit, offset } = job;
  const room = roomFor(table, limit);
  const list = table.columns.map((column) => shown(column, room)).join(', ');
  const totalRows = await countRows(db, `select count(*) from ${table.from}`);
  const total = where.sql ? await countRows(db, `select count(*) from ${table.from} ${where.sql}`, where) : totalRows;
  if (offset >= total || table.columns.length === 0) {
    return { columns: publicColumns(table), rows: [], total, totalRows };
  }
  const window = `limit ${limit} offset ${offset}`;
  const sql = job.sort
    ? // Which rows is decided by the sorted column alone; the others are read for those rows only.
      `with picked as (select ${rowPlace} as spot from ${table.from} ${where.sql} order by ${orderOf(table, job.sort)} ${window})
       select ${list} from ${table.from} where ${rowPlace} in (select spot from picked) order by ${orderOf(table, job.sort)}`
    : `select ${list} from ${table.from} ${where.sql} ${window}`;
  const rows = await db.run(sql, where.values);
  return { columns: publicColumns(table), rows: rows.map((row) => cells(table, row)), total, totalRows };
}

export const cells = (table: Table, row: Parameters<typeof toCell>[0][]): Cell[] =>
  table.columns.map((column, index) => toCell(row[index] ?? null, column));

async function countRows(db: DuckDb, sql: string, where?: { values: Parameters<DuckDb['run']>[1] }): Promise<number> {
  const [row] = await db.run(sql, where?.values);
  return Number(row?.[0] ?? 0);
}

function orderOf(table: Table, sort: { column: string; direction: 'asc' | 'desc' }): string {
  const column = columnNamed(table, sort.column, 'sort_by');
  const key = column.kind === 'other' ? asText(column) : column.sql;
  const direction = sort.direction === 'desc' ? 'desc' : 'asc';
  return `${key} ${direction} nulls last, ${rowPlace}`;
}
