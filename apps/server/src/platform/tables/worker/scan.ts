import { createReadStream } from 'node:fs';
import { compose } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { TableFormat } from '@atoll/contract';
import { type DuckDb, quotedText, type Row } from './duckdb.ts';

type TextFormat = Exclude<TableFormat, 'xlsx'>;

interface ScanOptions {
  /** Examines every line before it decides on types: slower, but later lines cannot contradict them. */
  isThorough?: boolean;
  encoding?: string;
}

/** The table function that reads a file as it was uploaded. */
export async function scanOf(db: DuckDb, path: string, format: TextFormat, options: ScanOptions = {}): Promise<string> {
  const file = quotedText(path);
  if (format === 'parquet') return `read_parquet(${file})`;
  const compression = await compressionOf(path);
  const packed = compression ? `, compression = ${quotedText(compression)}` : '';
  const sample = `${packed}${options.isThorough ? ', sample_size = -1' : ''}`;
  if (format === 'json') return `read_json(${file}, maximum_object_size = 67108864${sample})`;
  const start = await startOf(path, compression);
  const encoding = options.encoding ?? encodingOf(start);
  // By default, DuckDB skips the first lines when the lines after them fit better together.
  const base = `, skip = 0${sample}${encoding ? `, encoding = ${quotedText(encoding)}` : ''}`;
  const described = format === 'tsv' ? null : await db.run(`describe select * from read_csv(${file}${base})`);
  const separator = described ? separatorOf(described, start) : '\t';
  const split = separator ? `${base}, delim = ${quotedText(separator)}` : base;
  const columns = separator || !described ? await describeEven(db, file, split, separator ?? '', start) : described;
  return `read_csv(${file}${split}${await longNumbers(db, file, split, columns)})`;
}

const decompressors = { gzip: createGunzip, zstd: createZstdDecompress };
type Compression = keyof typeof decompressors;
const firstBytes: Record<Compression, string> = { gzip: '1f8b', zstd: '28b52ffd' };

/** Decides by content, because people rename files. */
async function compressionOf(path: string): Promise<Compression | null> {
  const first = (await startOf(path, null, 4)).toString('hex');
  const found = Object.entries(firstBytes).find(([, bytes]) => first.startsWith(bytes));
  return (found?.[0] as Compression | undefined) ?? null;
}

async function startOf(path: string, compression: Compression | null, size = 65_536): Promise<Buffer> {
  const file = createReadStream(path);
  const parts: Buffer[] = [];
  let left = size;
  try {
    for await (const part of compression ? compose(file, decompressors[compression]()) : file) {
      parts.push(part as Buffer);
      left -= (part as Buffer).length;
      if (left <= 0) break;
    }
  } catch (error) {
    // The read of the whole file will report the damage.
    if (!compression) throw error;
  }
  return Buffer.concat(parts).subarray(0, size);
}

const encodingOf = (start: Buffer): string | null =>
  (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff) ? 'utf-16' : null;

/**
 * DuckDB returns one wide column for a file whose lines do not all fit, and for unknown separators. Where half of the first
 * lines contain a separator, it is used: the file is then read as a table, or the error names the wrong line.
 */
function separatorOf(described: Row[], start: Buffer): string | null {
  if (described.length !== 1) return null;
  const lines = start.toString('utf8').split(/\r?\n/).slice(0, 20).filter(Boolean);
  const [header = ''] = lines;
  const isMeant = (separator: string) =>
    header.includes(separator) && lines.filter((line) => line.includes(separator)).length * 2 > lines.length;
  return lines.length > 1 ? ([',', ';', '\t', '|', '^', '~', '\u0001'].find(isMeant) ?? null) : null;
}

/** Where DuckDB finds no table, a forced read reports the wrong line. */
async function describeEven(db: DuckDb, file: string, split: string, separator: string, start: Buffer): Promise<Row[]> {
  try {
    return await db.run(`describe select * from read_csv(${file}${split})`);
  } catch (error) {
    const [header = ''] = start.toString('utf8').split(/\r?\n/);
    const columns = header.split(separator).map((_, index) => `c${index}: 'VARCHAR'`);
    const forced = `, auto_detect = false, header = true, quote = '"', escape = '"', columns = {${columns.join(', ')}}`;
    await db.run(`select count(*) from read_csv(${file}${split}${forced})`);
    throw error;
  }
}

const sampled = 20_000;

/** Columns of whole numbers with more digits than a double keeps: account and order numbers, which must not change. */
async function longNumbers(db: DuckDb, file: string, options: string, described: Row[]): Promise<string> {
  const doubles = described.flatMap(([name, type], index) =>
    type === 'DOUBLE' && !String(name).includes('\0') ? [{ name: String(name), sql: `c${index}` }] : [],
  );
  if (doubles.length === 0) return '';
  const names = described.map((_, index) => `c${index}`).join(', ');
  const tests = doubles.map(
    ({ sql }) =>
      `max(length(trim(${sql}, '+- '))) filter (${sql} is not null) > 15 and coalesce(bool_and(regexp_full_match(${sql}, '\\s*[+-]?\\d+\\s*')), false), max(length(trim(${sql}, '+- ')))`,
  );
  const [row = []] = await db.run(
    `select ${tests.join(', ')} from (select * from read_csv(${file}${options}, all_varchar = true) as t(${names}) limit ${sampled})`,
  );
  const types = doubles.flatMap(({ name }, index) => {
    if (row[index * 2] !== true) return [];
    return `${quotedText(name)}: '${Number(row[index * 2 + 1]) <= 38 ? 'DECIMAL(38,0)' : 'VARCHAR'}'`;
  });
  return types.length ? `, types = {${types.join(', ')}}` : '';
}
