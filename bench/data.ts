import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { TableFormat } from '@atoll/contract';
import { folderBlobs } from '@atoll/storage';
import { DuckDBInstance } from '@duckdb/node-api';
import { createTables, type PageQuestion, type TableSource } from '../apps/server/src/platform/tables/tables.ts';
import { p95, type Result } from './report.ts';

const csvRows = 5_000_000;
const parquetRows = 11_000_000;
const pages = 15;
const plain = { page: 1, pageSize: 100, filters: [], sort: null } satisfies PageQuestion;

/** Tables of millions of rows: what people wait for, beside DuckDB asked the same by itself in the same run. */
export async function data(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: '1GB',
    temp_directory: folder,
  });
  const bare = await instance.connect();
  const blobFolder = join(folder, 'blobs');
  const tables = createTables({
    folder: join(folder, 'cache'),
    blobs: folderBlobs(blobFolder),
    readable: [blobFolder],
    memoryMb: 1024,
    cacheBytes: 5 * 1024 ** 3,
  });
  const ask = (source: TableSource, more: Partial<PageQuestion> = {}) =>
    timed(() => tables.page(source, { ...plain, ...more }, 'bench'));
  const askBare = (sql: string) => timed(() => bare.runAndReadAll(sql));
  try {
    const csv = await stored(join(folder, 'big.csv'), 'csv', (path) =>
      bare.run(`copy (select i as id, (i * 7919 % 1000003) / 100 as amount, 'name ' || (i % 1000) as name,
        timestamp '2020-01-01' + interval (i) second as at, i % 3 = 0 as is_new from range(${csvRows}) t(i)) to '${path}' (header)`),
    );
    const read = `read_csv('${csv.path}')`;
    const bareFirst = await askBare(`select * from ${read} limit 100`);
    const first = await ask(csv.source);
    if (first.answer.rows.length !== 100) throw new Error('The first page is not there');
    const began = performance.now();
    while (!(await ask(csv.source)).answer.is_complete) await delay(100);
    const readIn = first.ms + performance.now() - began;
    const bareTable = join(folder, 'bare.parquet');
    const bareReadIn = await askBare(
      `copy (select * from ${read}) to '${bareTable}' (format parquet, compression zstd)`,
    );

    const parquet = await stored(join(folder, 'big.parquet'), 'parquet', (path) =>
      bare.run(`copy (select i as id, random() as a, random() as b, random() as c, md5(i::varchar) as hash, uuid()::varchar as uid
        from range(${parquetRows}) t(i)) to '${path}' (format parquet)`),
    );
    const bareParquet = await askBare(`select * from read_parquet('${parquet.path}') limit 100`);
    const firstParquet = await ask(parquet.source);

    const next = async (source: TableSource, rows: number, path: string, more: Partial<PageQuestion>, sql: string) => {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let turn = 1; turn <= pages; turn++) {
        const page = Math.floor((rows / 100 / (pages + 1)) * turn);
        ours.push((await ask(source, { page, ...more })).ms);
        const window = `limit 100 offset ${((more.page ?? page) - 1) * 100}`;
        const found = await askBare(`select * from read_parquet('${path}') ${sql} ${window}`);
        // Every page says how many rows there are.
        const count = await askBare(
          `select count(*) from read_parquet('${path}') ${sql.startsWith('where') ? sql : ''}`,
        );
        theirs.push(found.ms + count.ms);
      }
      return { value: p95(ours), peer: { name: 'bare DuckDB', value: p95(theirs) } };
    };
    const size = Math.round(statSync(parquet.path).size / 1024 ** 2);
    const names = { csv: '5 million rows of csv', parquet: `${size.toLocaleString('en')} MB of parquet` };
    const beside = (value: number) => ({ name: 'bare DuckDB', value });
    const sorted = { sort: { column: 'amount', direction: 'desc' as const }, page: 2 };
    const filtered = { filters: [{ column: 'name', operator: 'contains' as const, value: '77' }], page: 3 };
    const millis = { unit: 'ms' };
    return [
      {
        name: `${names.csv}: first page`,
        value: first.ms,
        ...millis,
        peer: beside(bareFirst.ms),
        limit: { of: 'value', max: 2_000 },
      },
      {
        name: `${names.csv}: all read in`,
        value: readIn,
        ...millis,
        peer: beside(bareReadIn.ms),
        limit: { of: 'ratio', max: 4 },
      },
      {
        name: `${names.csv}: next pages, p95`,
        ...millis,
        ...(await next(csv.source, csvRows, bareTable, {}, '')),
        limit: { of: 'value', max: 200 },
      },
      {
        name: `${names.csv}: sorted, p95`,
        ...millis,
        ...(await next(csv.source, csvRows, bareTable, sorted, 'order by amount desc')),
        limit: { of: 'ratio', max: 3 },
      },
      {
        name: `${names.csv}: filtered, p95`,
        ...millis,
        ...(await next(csv.source, csvRows, bareTable, filtered, "where name like '%77%'")),
        limit: { of: 'ratio', max: 3 },
      },
      {
        name: `${names.parquet}: first page`,
        value: firstParquet.ms,
        ...millis,
        peer: beside(bareParquet.ms),
        limit: { of: 'value', max: 2_000 },
      },
      {
        name: `${names.parquet}: next pages, p95`,
        ...millis,
        ...(await next(parquet.source, parquetRows, parquet.path, {}, '')),
        limit: { of: 'value', max: 200 },
      },
    ];
  } finally {
    await tables.stop();
    bare.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }

  /** Made in place of an upload: the file is moved to where its blob belongs. */
  async function stored(path: string, format: TableFormat, make: (path: string) => Promise<unknown>) {
    await make(path);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const sha256 = hash.digest('hex');
    const target = join(blobFolder, sha256.slice(0, 2), sha256.slice(2, 4));
    mkdirSync(target, { recursive: true });
    renameSync(path, join(target, sha256));
    const source: TableSource = { sha256, format, size: statSync(join(target, sha256)).size };
    return { path: join(target, sha256), source };
  }
}

async function timed<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const began = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - began };
}
