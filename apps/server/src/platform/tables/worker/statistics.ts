import { type Cell, type ColumnStatistics, mostCountedExactly } from '@atoll/contract';
import type { Job } from '../jobs.ts';
import { type Column, columnNamed, isDay, isWhole, shown, type Table, toCell } from './columns.ts';
import type { DuckDb } from './duckdb.ts';
import { whereOf } from './filters.ts';

const isNumber = ({ kind }: Column) => kind === 'number';
const shares = [0.05, 0.25, 0.5, 0.75, 0.95];
const bars = 24;
const topCount = 10;
const longestText = 200;

const shownAs = (column: Column, sql: string) => shown({ ...column, sql }, longestText);

/** A value's position on the number line: itself, or milliseconds since 1970. */
function position(column: Column): string | null {
  if (column.kind === 'number') return `${column.sql}::double`;
  return isDay(column) ? `epoch_ms(${column.sql}::timestamp)::double` : null;
}

/** Formats a position on the number line like the column's values. */
function placed(column: Column, value: number): Cell {
  if (!Number.isFinite(value)) return String(value);
  if (column.kind === 'number') return value;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return null;
  return column.type === 'DATE' ? date.toISOString().slice(0, 10) : date.toISOString().slice(0, -1);
}

export async function describeColumn(
  db: DuckDb,
  table: Table,
  job: Extract<Job, { kind: 'statistics' }>,
): Promise<ColumnStatistics> {
  const column = columnNamed(table, job.column, 'column');
  const where = await whereOf(db, table, job);
  const rows = `(select ${column.sql} from ${table.from} ${where.sql}) as t`;
  const ask = (sql: string) => db.run(sql, where.values);

  const at = position(column);
  const isOrdered = column.kind !== 'other';
  const [summary = []] = await ask(
    `select count(*), count(${column.sql}), approx_count_distinct(${column.sql}),
       ${['min', 'max'].map((of) => (isOrdered ? shownAs(column, `${of}(${column.sql})`) : 'null')).join(', ')}
     from ${rows}`,
  );
  const cell = (index: number): Cell => toCell(summary[index] ?? null, column);
  const values = Number(summary[1] ?? 0);
  const distinct =
    values > mostCountedExactly
      ? Math.min(Number(summary[2] ?? 0), values)
      : Number((await ask(`select count(distinct ${column.sql}) from ${rows}`))[0]?.[0] ?? 0);
  const line = at ? await onLine(ask, rows, at) : null;
  // Quantiles are approximate, and between two whole numbers there is none.
  const round = isWhole(column) || !isNumber(column) ? Math.round : (value: number) => value;
  return {
    name: column.name,
    type: column.type,
    kind: column.kind,
    count: Number(summary[0] ?? 0),
    nulls: Number(summary[0] ?? 0) - values,
    distinct,
    min: cell(3),
    max: cell(4),
    mean: line ? placed(column, line.mean) : null,
    quantiles: line
      ? shares.map((share, index) => ({ share, value: placed(column, round(line.quantiles[index] ?? 0)) }))
      : [],
    histogram: line && at ? await histogram(ask, rows, at, column, line) : [],
    top: line ? [] : await topValues(ask, rows, column),
  };
}

type Ask = (sql: string) => ReturnType<DuckDb['run']>;

interface Line {
  min: number;
  max: number;
  mean: number;
  quantiles: number[];
}

/** Null when no value has a position: there are no values, or only infinite ones. */
async function onLine(ask: Ask, rows: string, at: string): Promise<Line | null> {
  const quantiles = shares.map((share) => `approx_quantile(x, ${share})`).join(', ');
  const [row = []] = await ask(
    `select min(x), max(x), avg(x), ${quantiles} from (select ${at} as x from ${rows}) where isfinite(x)`,
  );
  const [min, max, mean, ...found] = row.map((value) => (value === null ? Number.NaN : Number(value)));
  if (min === undefined || max === undefined || mean === undefined || Number.isNaN(min)) return null;
  return { min, max, mean, quantiles: found };
}

async function histogram(ask: Ask, rows: string, at: string, column: Column, { min, max }: Line) {
  // A few whole numbers get a bar each, so that no bar is empty only because of rounding.
  const isFew = isWhole(column) && max - min < bars;
  const count = min === max ? 1 : isFew ? max - min + 1 : bars;
  const width = isFew ? 1 : (max - min) / count;
  if (!Number.isFinite(width)) return [];
  const bar = width > 0 ? `least(greatest(floor((x - ${exact(min)}) / ${exact(width)}), 0), ${count - 1})` : '0';
  const found = await ask(
    `select ${bar} as bar, count(*) from (select ${at} as x from ${rows}) where isfinite(x) group by bar`,
  );
  const counts = new Map(found.map(([index, number]) => [Number(index), Number(number)]));
  return Array.from({ length: count }, (_, index) => ({
    from: placed(column, min + index * width),
    to: placed(column, index === count - 1 && !isFew ? max : min + (index + 1) * width),
    count: counts.get(index) ?? 0,
  }));
}

const exact = (value: number) => `(${value}::double)`;

async function topValues(ask: Ask, rows: string, column: Column) {
  // A nested value has no order, so its text is sorted.
  const isNested = column.kind === 'other';
  const key = isNested ? shownAs(column, column.sql) : column.sql;
  const found = await ask(
    `select ${isNested ? 'k' : shownAs(column, 'k')}, n from
       (select ${key} as k, count(*) as n from ${rows} where ${column.sql} is not null group by k)
     order by n desc, k limit ${topCount}`,
  );
  return found.map(([value, count]) => ({ value: toCell(value ?? null, column), count: Number(count) }));
}
