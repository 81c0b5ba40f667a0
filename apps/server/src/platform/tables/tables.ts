import { setTimeout as delay } from 'node:timers/promises';
import type { ColumnStatistics, TableFilter, TableFormat, TablePage } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';
import { missingBlob } from '../blobs.ts';
import { AppError, invalidField } from '../errors.ts';
import { TableCache } from './cache.ts';
import { type Contents, type Problem, type Rows, type Sort, TableProblem, type Window } from './jobs.ts';
import { type PoolOptions, WorkerPool } from './pool.ts';

/** A file that is read as a table. */
export interface TableSource {
  sha256: string;
  size: number;
  format: TableFormat;
}

export interface Selection {
  sheet?: string;
  filters: TableFilter[];
  search?: string;
}

export interface PageQuestion extends Selection {
  page: number;
  pageSize: number;
  sort: Sort | null;
}

export type Statistics = { statistics: ColumnStatistics | null; is_complete: boolean; progress: number | null };

/** Tables of any size, a page at a time. `caller` is the person the work is for, so that no one uses the whole pool. */
export interface Tables {
  page(source: TableSource, question: PageQuestion, caller: string): Promise<TablePage>;
  statistics(source: TableSource, question: Selection & { column: string }, caller: string): Promise<Statistics>;
  /** Keeps the cache within its size. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

interface TablesOptions extends Omit<PoolOptions, 'folder'> {
  folder: string;
  cacheBytes: number;
  blobs: Pick<BlobStore, 'get' | 'localPath'>;
  /** The answer for files up to this size waits for the conversion; larger ones first answer with their first rows. */
  waitForBytes?: number;
}

interface Conversion {
  done: Promise<Contents>;
  progress: number;
}

interface Reading {
  state: 'reading';
  path: string;
  key: string;
  /** Begins the conversion, or returns the one in progress. */
  start(): Conversion;
}

type Opened = { state: 'ready'; contents: Contents; pathOf(index: number): string } | Reading;

const callerLimit = 8;
const patience = { small: 10_000, large: 300 };
const previewRows = 10_000;
const mostPreviews = 50;
const noRows: Rows = { columns: [], rows: [] };
/** A file that could not be read is not tried again for this time. */
const failureLife = 10 * 60_000;

export function createTables(options: TablesOptions): Tables {
  const { blobs, cacheBytes, waitForBytes = 16 * 1024 ** 2, ...poolOptions } = options;
  const cache = new TableCache(options.folder, cacheBytes);
  const pool = new WorkerPool(poolOptions);
  const conversions = new Map<string, Conversion>();
  const failures = new Map<string, { error: Error; until: number }>();
  const underWay = new Map<string, number>();
  const previews = new Map<string, Rows>();
  let opening: Promise<void> | null = null;

  async function localPath(sha256: string): Promise<string> {
    const path = (await blobs.localPath(sha256)) ?? (await cache.copyOf(sha256, () => blobs.get(sha256)));
    if (!path) throw missingBlob(sha256);
    return path;
  }

  function conversionOf(key: string, path: string, source: TableSource): Conversion {
    const running = conversions.get(key);
    if (running) return running;
    const conversion: Conversion = { progress: 0, done: convert() };
    conversions.set(key, conversion);
    conversion.done
      .catch((error: Error) => {
        if (error instanceof TableProblem) remember(key, error);
      })
      .finally(() => {
        conversions.delete(key);
        if (conversions.size === 0) previews.clear();
      });
    return conversion;

    async function convert(): Promise<Contents> {
      const folder = await cache.incoming();
      try {
        const contents = await pool.run({ kind: 'convert', path, format: source.format, folder }, (progress) => {
          conversion.progress = Math.max(conversion.progress, progress);
        });
        await cache.keep(folder, key);
        return contents;
      } catch (error) {
        await cache.discard(folder);
        throw error;
      }
    }
  }

  function remember(key: string, error: Error): void {
    const now = Date.now();
    for (const [old, { until }] of failures) if (until < now) failures.delete(old);
    failures.set(key, { error, until: now + failureLife });
  }

  async function open(source: TableSource): Promise<Opened> {
    opening ??= cache.open();
    await opening;
    const { sha256, format } = source;
    if (format === 'parquet') {
      const path = await localPath(sha256);
      return { state: 'ready', contents: { sheets: null }, pathOf: () => path };
    }
    const key = `${sha256}-${format}`;
    const ready = (contents: Contents): Opened => ({
      state: 'ready',
      contents,
      pathOf: (index) => cache.pathOf(key, `${index}.parquet`),
    });
    const cached = conversions.has(key) ? null : await cache.find(key);
    if (cached) return ready(cached);
    const failure = failures.get(key);
    if (failure && failure.until > Date.now()) throw failure.error;
    const path = await localPath(sha256);
    const start = () => conversionOf(key, path, source);
    const isSmall = source.size <= waitForBytes;
    // For a large file, return so that its first rows are read before the conversion begins.
    if (!isSmall && !conversions.has(key)) return { state: 'reading', path, key, start };
    const wait = new AbortController();
    const contents = await Promise.race([
      start().done,
      delay(isSmall ? patience.small : patience.large, null, { signal: wait.signal }),
    ]).finally(() => wait.abort());
    return contents ? ready(contents) : { state: 'reading', path, key, start };
  }

  /** Keeps the rows until the table is converted, because clients that wait for it ask again and again. */
  async function firstRows({ key, path }: Reading, { format }: TableSource, window: Window): Promise<Rows> {
    const name = `${key} ${window.offset} ${window.limit}`;
    const known = previews.get(name);
    if (known) return known;
    // A file that fails the preview may still pass the conversion.
    const rows = await pool.run({ kind: 'preview', path, format, ...window }).catch((error: unknown) => {
      if (error instanceof TableProblem) return noRows;
      throw error;
    });
    if (previews.size >= mostPreviews) previews.clear();
    previews.set(name, rows);
    return rows;
  }

  async function forCaller<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    const count = underWay.get(caller) ?? 0;
    if (count >= callerLimit) {
      throw new AppError('too_many_requests', 'You are reading many tables at once. Try again in a moment.', {
        retryAfterSeconds: 1,
      });
    }
    underWay.set(caller, count + 1);
    try {
      return await work();
    } catch (error) {
      throw error instanceof TableProblem ? toAppError(error.problem) : error;
    } finally {
      const left = (underWay.get(caller) ?? 1) - 1;
      if (left > 0) underWay.set(caller, left);
      else underWay.delete(caller);
    }
  }

  return {
    page: (source, question, caller) =>
      forCaller(caller, async () => {
        const { page, pageSize, sort, filters, search } = question;
        const window = { offset: (page - 1) * pageSize, limit: pageSize };
        const base = { page, page_size: pageSize };
        const table = await open(source);
        if (table.state === 'ready') {
          const sheet = sheetOf(table.contents, question.sheet);
          const path = table.pathOf(sheet.index);
          const { columns, rows, total, totalRows } = await pool.run({
            kind: 'page',
            path,
            filters,
            search,
            sort,
            ...window,
          });
          const { sheets } = table.contents;
          return {
            ...base,
            columns,
            rows,
            total,
            total_rows: totalRows,
            sheets,
            sheet: sheet.name,
            is_complete: true,
            progress: null,
          };
        }
        const unknown = { total: null, total_rows: null, sheets: null, sheet: null, is_complete: false };
        // The first rows are known before the table is complete; sorted or filtered rows are not.
        const isPlain = !sort && filters.length === 0 && !search && source.format !== 'xlsx';
        const canPreview = isPlain && window.offset + window.limit <= previewRows;
        const { columns, rows } = canPreview ? await firstRows(table, source, window) : noRows;
        return { ...base, columns, rows, progress: table.start().progress, ...unknown };
      }),

    statistics: (source, { column, filters, search, sheet }, caller) =>
      forCaller(caller, async () => {
        const table = await open(source);
        if (table.state === 'reading')
          return { statistics: null, is_complete: false, progress: table.start().progress };
        const path = table.pathOf(sheetOf(table.contents, sheet).index);
        const statistics = await pool.run({ kind: 'statistics', path, column, filters, search });
        return { statistics, is_complete: true, progress: null };
      }),

    sweep: () => cache.sweep(),
    stop: () => pool.stop(),
  };
}

function sheetOf({ sheets }: Contents, name: string | undefined): { index: number; name: string | null } {
  if (name === undefined) return { index: 0, name: sheets?.[0] ?? null };
  const index = sheets?.indexOf(name) ?? -1;
  if (index < 0) throw invalidField('sheet', 'There is no sheet of this name');
  return { index, name };
}

function toAppError({ reason, message, line, field }: Problem): AppError {
  if (reason === 'invalid' && field) return invalidField(field, message);
  const details = { reason, ...(line ? { line } : {}) };
  const code = reason === 'too_large' ? 'content_too_large' : 'unprocessable_entity';
  return new AppError(code, message, { details });
}
