import type { Cell, ColumnKind, TableColumn } from '@atoll/contract';
import type { DuckDBValue } from '@duckdb/node-api';
import { TableProblem } from '../jobs.ts';
import { type DuckDb, quotedText } from './duckdb.ts';

/**
 * A column and its name in our statements. Columns are named by their place (`c0`, `c1`, …), so that no name from a file is
 * ever part of a statement.
 */
export interface Column extends TableColumn {
  sql: string;
}

export interface Table {
  columns: Column[];
  /** The SQL after `from`. */
  from: string;
}

export interface StoredTable extends Table {
  rows: number;
}

export const maxColumns = 2_000;

/** `scan` is always a table function of ours, never of a user. */
export async function describeTable(db: DuckDb, scan: string, extra: string[] = []): Promise<Table> {
  const described = await db.run(`describe select * from ${scan}`);
  const columns = described.slice(0, described.length - extra.length).map(([name, type], index) => ({
    name: String(name),
    type: shortType(String(type)),
    kind: kindOf(String(type)),
    sql: `c${index}`,
  }));
  if (columns.length > maxColumns) {
    const message = `The table has ${columns.length} columns; up to ${maxColumns} can be shown.`;
    throw new TableProblem({ reason: 'too_large', message });
  }
  return { columns, from: `${scan} as t(${[...columns.map(({ sql }) => sql), ...extra].join(', ')})` };
}

/** The row's place in the file, so that rows that sort equally keep one order from page to page. */
export const rowPlace = 'place';
export async function parquetTable(db: DuckDb, path: string): Promise<StoredTable> {
  const table = await describeTable(db, `read_parquet(${quotedText(path)}, file_row_number = true)`, [rowPlace]);
  const [row] = await db.run(`select count(*) from ${table.from}`);
  return { ...table, rows: Number(row?.[0] ?? 0) };
}

export function columnNamed(table: Table, name: string, field: string): Column {
  const column = table.columns.find((each) => each.name === name);
  if (!column) throw new TableProblem({ reason: 'invalid', field, message: 'There is no column of this name' });
  return column;
}

/** The first word of the type, which decides the kind and the notation: `DECIMAL(12,2)`, `STRUCT(…)`. */
const baseOf = (type: string) => (type.endsWith(']') ? 'LIST' : (/^[A-Z_0-9]+/.exec(type)?.[0] ?? ''));

const wholeNumbers = new Set(
  ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT'].flatMap((name) => [name, `U${name}`]),
);
const numbers = new Set([...wholeNumbers, 'FLOAT', 'DOUBLE', 'DECIMAL']);
const times = new Set(['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS']);
const texts = new Set(['VARCHAR', 'UUID', 'ENUM']);
const nested = new Set(['STRUCT', 'MAP', 'UNION', 'LIST', 'ARRAY']);

function kindOf(type: string): ColumnKind {
  const base = baseOf(type);
  if (numbers.has(base)) return 'number';
  if (base === 'BOOLEAN') return 'boolean';
  if (times.has(base)) return 'time';
  return texts.has(base) ? 'text' : 'other';
}

const shortType = (type: string) => (type.length > 120 ? `${type.slice(0, 119)}…` : type);
export const isWhole = ({ type }: TableColumn) => wholeNumbers.has(baseOf(type));
/** A time of day cannot be placed on a line of dates. */
export const isDay = ({ kind, type }: TableColumn) => kind === 'time' && !/^TIME($| )/.test(type);

/** The column as text, for searching and for types without a form of their own. */
export const asText = (column: Column): string =>
  nested.has(baseOf(column.type)) ? `to_json(${column.sql})::varchar` : `${column.sql}::varchar`;

/** The column as it is shown; a value longer than `room` characters is cut. */
export function shown(column: Column, room: number): string {
  const { kind, type, sql } = column;
  if (kind === 'boolean' || (kind === 'number' && baseOf(type) !== 'DECIMAL')) return sql;
  if (kind === 'number') return `${sql}::varchar`;
  if (kind === 'time') return type.includes('ZONE') ? `replace(${iso(sql)}, '+00', 'Z')` : iso(sql);
  const text = asText(column);
  return `case when length(${text}) > ${room} then left(${text}, ${room}) || '…' else ${text} end`;
}

const iso = (sql: string) => `replace(${sql}::varchar, ' ', 'T')`;

/** Converts a DuckDB value for JSON: a number only where it keeps its value. */
export function toCell(value: DuckDBValue, column: TableColumn): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean') return value;
  const text = String(value);
  const isShort = column.kind === 'number' && text.replace(/[-.]/g, '').length <= 15;
  return isShort ? Number(text) : text;
}
