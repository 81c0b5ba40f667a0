import type { Cell } from '@atoll/contract';
import type { Answers, Job } from '../jobs.ts';
import { asText, columnNamed, rowPlace, type StoredTable, shown, type Table, toCell } from './columns.ts';
import type { DuckDb, Row } from './duckdb.ts';
import { type Where, whereOf } from './filters.ts';

const longestText = 1_000;
/** The maximum number of characters in one answer, for any file. */
const answerRoom = 16_000_000;

export const roomFor = (table: Table, rows: number): number =>
  Math.max(40, Math.min(longestText, Math.floor(answerRoom / Math.max(1, rows * table.columns.length))));

export const publicColumns = (table: Table) => table.columns.map(({ name, type, kind }) => ({ name, type, kind }));

export async function readPage(
  db: DuckDb,
  table: StoredTable,
  job: Extract<Job, { kind: 'page' }>,
): Promise<Answers['page']> {
  const where = await whereOf(db, table, job);
  const total = where.sql ? await countRows(db, table, where) : table.rows;
  const room = roomFor(table, job.limit);
  const list = table.columns.map((column) => shown(column, room)).join(', ');
  const window = `limit ${job.limit} offset ${job.offset}`;
  let rows: Row[] = [];
  if (job.sort) {
    // The sorted column alone decides the rows; the other columns are read for those rows only.
    const order = orderOf(table, job.sort);
    const places = await db.run(
      `select ${rowPlace} from ${table.from} ${where.sql} order by ${order} ${window}`,
      where.values,
    );
    const wanted = places.map(([place]) => String(Number(place))).join(', ');
    if (wanted)
      rows = await db.run(`select ${list} from ${table.from} where ${rowPlace} in (${wanted}) order by ${order}`);
  } else if (job.offset < total) {
    rows = await db.run(`select ${list} from ${table.from} ${where.sql} ${window}`, where.values);
  }
  return {
    columns: publicColumns(table),
    rows: rows.map((row) => cells(table, row)),
    total,
    totalRows: table.rows,
  };
}

async function countRows(db: DuckDb, table: Table, where: Where): Promise<number> {
  const [row] = await db.run(`select count(*) from ${table.from} ${where.sql}`, where.values);
  return Number(row?.[0] ?? 0);
}

export const cells = (table: Table, row: Row): Cell[] =>
  table.columns.map((column, index) => toCell(row[index] ?? null, column));

function orderOf(table: Table, sort: { column: string; direction: 'asc' | 'desc' }): string {
  const column = columnNamed(table, sort.column, 'sort_by');
  const key = column.kind === 'other' ? asText(column) : column.sql;
  const direction = sort.direction === 'desc' ? 'desc' : 'asc';
  return `${key} ${direction} nulls last, ${rowPlace}`;
}
