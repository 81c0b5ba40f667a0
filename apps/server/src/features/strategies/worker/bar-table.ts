import type { Candles } from '@atoll/trading';
import type { StrategyProblem } from '@atoll/trading/backtest/job';
import { readNumbers, readTimes, type TextColumn, UnreadableText } from '@atoll/trading/bar-texts';
import type { DuckDb, Row } from '../../../platform/tables/worker/duckdb.ts';
import type { BarSource } from './messages.ts';

export class BarProblem extends Error {
  get problem(): StrategyProblem {
    return { code: 'data', message: this.message, at: null, line: null };
  }
}

type Table = Extract<BarSource, { type: 'table' }>;

/** What the columns are called elsewhere. */
const names: Record<keyof Candles | 'market', string[]> = {
  time: ['time', 'timestamp', 'date', 'datetime', 'open_time', 'opentime', 't', 'ts'],
  open: ['open', 'o'],
  high: ['high', 'h'],
  low: ['low', 'l'],
  close: ['close', 'c', 'price'],
  volume: ['volume', 'vol', 'v', 'tickvol'],
  market: ['symbol', 'market', 'ticker', 'pair', 'instrument'],
};
const priceNames = ['open', 'high', 'low', 'close', 'volume'] as const;

interface Column {
  name: string;
  type: string;
}

const quoted = ({ name }: Column) => `"${name.replaceAll('"', '""')}"`;
/** As in `<OPEN>` of MetaTrader. */
const plainName = ({ name }: Column) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^<(.*)>$/, '$1');
const isText = ({ type }: Column) => type === 'VARCHAR';
const isNumber = ({ type }: Column) => /INT|DOUBLE|DECIMAL|FLOAT/.test(type);

const dayNumbers = { first: 1900_01_01, last: 2100_12_31 };
/** Seconds, milliseconds, microseconds and nanoseconds are told apart by their size. */
const milliseconds = (column: string, type: string) => {
  const divided = (by: number) => (/INT/.test(type) ? `${column} // ${by}` : `floor(${column} / ${by})`);
  return `(case when abs(${column}) < 1e11 then ${column} * 1000 when abs(${column}) < 1e14 then ${column}
    when abs(${column}) < 1e17 then ${divided(1_000)} else ${divided(1_000_000)} end)::double`;
};

/** The bars of one market in a file, as they stand there. */
export async function readTable(source: Table, symbol: string): Promise<Candles> {
  // Loaded for files only: it takes longer than most backtests.
  const { openDuckDb, quotedText } = await import('../../../platform/tables/worker/duckdb.ts');
  const { path, format } = source;
  const db = await openDuckDb(
    { memoryMb: 512, threads: 2, spillFolder: '', spillMb: 0, timeMs: 60_000 },
    { paths: [path], folders: [] },
  );
  const reader =
    format === 'csv'
      ? (asText: Column[]) => {
          const types = asText.map(({ name }) => `${quotedText(name)}: 'VARCHAR'`).join(', ');
          return `read_csv(${quotedText(path)}, sample_size = -1${types && `, types = {${types}}`})`;
        }
      : () => `read_parquet(${quotedText(path)})`;
  try {
    return await readColumns(db, source, reader, symbol);
  } catch (error) {
    if (error instanceof UnreadableText) throw new BarProblem(error.message);
    throw error;
  } finally {
    db.close();
  }
}

async function readColumns(
  db: DuckDb,
  { format, isOneOfSeveral }: Table,
  reader: (asText: Column[]) => string,
  symbol: string,
): Promise<Candles> {
  const described = await db.run(`describe select * from ${reader([])}`).catch((error: Error) => {
    throw new BarProblem(`The file cannot be read: ${error.message.split('\n')[0]}`);
  });
  const columns = described.map(([name, type]) => ({ name: String(name), type: String(type) }));
  const find = (wanted: keyof typeof names) => columns.find((column) => names[wanted].includes(plainName(column)));
  const [time, market] = [find('time'), find('market')];
  const prices = priceNames.map((name) => find(name));
  const missing = [['time', time] as const, ...priceNames.map((name, index) => [name, prices[index]] as const)]
    .filter(([name, column]) => !column && name !== 'volume')
    .map(([name]) => name);
  if (!time || missing.length > 0)
    throw new BarProblem(
      `The file has no column ${missing.join(', ')}; it needs time, open, high, low, close and volume.`,
    );
  const chosen = await whereMarket(db, reader([]), { market, symbol, isOneOfSeveral });
  const read = (what: string[], asText: Column[] = []) =>
    db.run(`select ${what.join(', ')} from ${reader(asText)} ${chosen.sql}`, chosen.values);
  const found = prices.flatMap((column) => column ?? []);
  // One that is no number is written in some country's way, and so may be all others.
  const isWritten = found.some((column) => !isNumber(column));
  const written = isWritten ? found : [];
  const times = await timesOf(read, { time, clock: clockBeside(columns, time), format });
  const rows = await read(
    isWritten
      ? found.map((column) => `${quoted(column)}::varchar`)
      : found.map((column) => `${quoted(column)}::double`),
    written,
  );
  const numbers = isWritten
    ? readNumbers(found.map((column, index) => textsOf(column, rows, index)))
    : found.map((_, index) =>
        Float64Array.from(rows, (row) => (row[index] === null ? Number.NaN : Number(row[index]))),
      );
  const [open, high, low, close, volume = new Float64Array(times.length)] = numbers as Float64Array[];
  if (!open || !high || !low || !close) throw new Error('A column is missing');
  return { time: times, open, high, low, close, volume };
}

const textsOf = ({ name }: Column, rows: Row[], index: number): TextColumn => ({
  name,
  texts: rows.map((row) => (row[index] === null ? null : String(row[index]))),
});

/** The time of day, where it has a column of its own. */
const clockBeside = (columns: Column[], time: Column): Column | null =>
  plainName(time) === 'date' ? (columns.find((column) => plainName(column) === 'time') ?? null) : null;

async function timesOf(
  read: (what: string[], asText?: Column[]) => Promise<Row[]>,
  { time, clock, format }: { time: Column; clock: Column | null; format: Table['format'] },
): Promise<Float64Array> {
  const column = quoted(time);
  const numbersIn = async (sql: string) =>
    Float64Array.from(await read([sql]), ([value]) => (value === null ? Number.NaN : Number(value)));
  if (isNumber(time) && !clock) {
    const raw = await numbersIn(`${column}::double`);
    const isDays = raw.every((each) => each >= dayNumbers.first && each <= dayNumbers.last && Number.isInteger(each));
    if (!isDays || raw.length === 0) return numbersIn(milliseconds(column, time.type));
  } else if (format === 'parquet' && !isText(time) && !clock)
    return numbersIn(`epoch_ms(${column}::timestamp)::double`);
  // What a csv calls a date was guessed row by row; the whole column tells which way it is written.
  const text = `${column}::varchar`;
  const asText = clock ? [time, clock] : [time];
  const rows = await read([clock ? `${text} || ' ' || ${quoted(clock)}::varchar` : text], asText);
  return readTimes(textsOf(time, rows, 0));
}

const compared = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The rows of one market; all of them where the file names none or only one. */
async function whereMarket(
  db: DuckDb,
  table: string,
  { market, symbol, isOneOfSeveral }: { market: Column | undefined; symbol: string; isOneOfSeveral: boolean },
): Promise<{ sql: string; values: string[] }> {
  const found = market ? await db.run(`select distinct ${quoted(market)}::varchar from ${table} limit 1000`) : [];
  const markets = found.map(([name]) => String(name));
  if (isOneOfSeveral && markets.length < 2)
    throw new BarProblem('The file has the bars of one market: it has no column symbol with several.');
  if (!market || markets.length < 2) return { sql: '', values: [] };
  const wanted = markets.find((name) => compared(name) === compared(symbol));
  if (wanted === undefined) {
    const some = markets.toSorted().slice(0, 10).join(', ');
    throw new BarProblem(
      `The file has no bars of ${symbol}. It has ${some}${markets.length > 10 ? ' and others' : ''}.`,
    );
  }
  return { sql: `where ${quoted(market)}::varchar = $1`, values: [wanted] };
}
