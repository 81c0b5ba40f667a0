import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TableFormat } from '@atoll/contract';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { confinement } from '../confinement.ts';
import { WorkerPool } from './pool.ts';
import { createTables, type PageQuestion, type TableSource } from './tables.ts';
import { openDuckDb } from './worker/duckdb.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tables-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain: PageQuestion = { page: 1, pageSize: 3, filters: [], sort: null };
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(10);
}

/** A csv that takes a while to convert. */
const longCsv = () => {
  const path = join(folder, 'long.csv');
  const line = `${'123456789,'.repeat(20)}end\n`;
  writeFileSync(path, `${Array.from({ length: 21 }, (_, index) => `c${index}`).join(',')}\n${line.repeat(200_000)}`);
  return path;
};

function startTables(options: Partial<Parameters<typeof createTables>[0]> = {}) {
  const blobs = join(folder, 'blobs');
  mkdirSync(blobs, { recursive: true });
  const tables = createTables({
    folder: join(folder, 'cache'),
    readable: [blobs],
    memoryMb: 512,
    cacheBytes: 10 * 1024 ** 2,
    blobs: {
      localPath: async (sha256) => (existsSync(join(blobs, sha256)) ? join(blobs, sha256) : null),
      get: async () => null,
    },
    ...options,
  });
  onTestFinished(() => tables.stop());
  const put = (content: string, format: TableFormat = 'csv'): TableSource => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, sha256), content);
    return { sha256, format, size: content.length };
  };
  return { tables, put, blobs };
}

describe('the database of one job', () => {
  test('reaches the files it was given and no others', async () => {
    const [mine, other] = [join(folder, 'mine.csv'), join(folder, 'other.csv')];
    writeFileSync(mine, 'a\n1\n');
    writeFileSync(other, 'a\n2\n');
    mkdirSync(join(folder, 'out'));
    const limits = { memoryMb: 256, threads: 1, spillFolder: join(folder, 'spill'), spillMb: 100, timeMs: 1_000 };
    const db = await openDuckDb(limits, { paths: [mine], folders: [join(folder, 'out')] });
    onTestFinished(() => db.close());
    expect(await db.run(`select a from read_csv('${mine}')`)).toEqual([[1n]]);
    for (const statement of [
      `select * from read_csv('${other}')`,
      `select * from '${other}'`,
      `select * from read_text('/etc/passwd')`,
      `select * from read_blob('${other}')`,
      `select * from glob('${folder}/*')`,
      `select * from read_csv('${folder}/*.csv')`,
      `select * from read_csv('${folder}/out/../other.csv')`,
      `select * from 'https://example.org/x.csv'`,
      `select * from read_parquet('s3://bucket/x.parquet')`,
      `copy (select 1) to '${folder}/written.csv'`,
      `attach '${folder}/other.db'`,
      `export database '${folder}/exported'`,
      'install httpfs',
      'load httpfs',
      `load '${other}'`,
      'set enable_external_access = true',
      `set allowed_directories = ['/']`,
      'set lock_configuration = false',
      `set temp_directory = '/tmp'`,
      `set memory_limit = '100GB'`,
      'reset memory_limit',
      `pragma database_list; select * from read_csv('${other}')`,
    ]) {
      await expect(db.run(statement), statement).rejects.toThrow();
    }
    expect(readdirSync(folder).sort()).toEqual(['mine.csv', 'other.csv', 'out']);
  });
});

describe('the processes that read files', () => {
  const pool = (options: Partial<ConstructorParameters<typeof WorkerPool>[0]> = {}) => {
    const made = new WorkerPool({ folder, memoryMb: 256, ...options });
    onTestFinished(() => made.stop());
    return made;
  };
  const preview = (path: string) => ({ kind: 'preview', format: 'csv', path, offset: 0, limit: 10 }) as const;
  test.runIf(confinement({ readable: [], writable: tmpdir() }).length > 0)('see their folder only', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const secret = join(elsewhere, 'secret.csv');
    writeFileSync(secret, 'a\n1\n');
    await expect(pool().run(preview(secret))).rejects.toThrow();
    expect((await pool({ readable: [elsewhere] }).run(preview(secret))).rows).toEqual([[1]]);
  });

  const small = () => {
    const path = join(folder, 'small.csv');
    writeFileSync(path, 'a\n1\n');
    return path;
  };

  test('a killed process fails its own job; the next one is answered', async () => {
    const made = pool({ processes: 1 });
    const job = made.run({ kind: 'convert', path: longCsv(), format: 'csv', folder });
    const [pid = 0] = made.pids;
    process.kill(pid, 'SIGKILL');
    await expect(job).rejects.toThrow('cannot be read');
    expect((await made.run(preview(small()))).rows).toEqual([[1]]);
  });

  test('runs no more processes than allowed, however many jobs wait', async () => {
    const made = pool({ processes: 2 });
    const path = small();
    const answers = Array.from({ length: 20 }, () => made.run(preview(path)));
    expect(made.pids).toHaveLength(2);
    expect((await Promise.all(answers)).every(({ rows }) => rows.length === 1)).toBe(true);
    expect(made.pids).toHaveLength(2);
  });

  test('conversions leave one free for short questions', async () => {
    const made = pool({ processes: 2, conversions: 1 });
    const [path, target] = [longCsv(), ['a', 'b'].map((name) => join(folder, name))];
    for (const each of target) mkdirSync(each);
    let isConverted = false;
    const long = Promise.all(target.map((each) => made.run({ kind: 'convert', path, format: 'csv', folder: each })));
    void long.then(() => {
      isConverted = true;
    });
    await made.run(preview(small()));
    expect(isConverted).toBe(false);
    await long;
  });

  test('interrupts a job that takes too long and keeps the process', async () => {
    const made = pool({ processes: 1, timeMs: { convert: 5 } });
    await expect(made.run({ kind: 'convert', path: longCsv(), format: 'csv', folder })).rejects.toThrow('too long');
    const before = made.pids;
    await made.run(preview(small()));
    expect(made.pids).toEqual(before);
  });

  test('gives no job to a process that is ending', async () => {
    const made = pool({ processes: 1, idleMs: 0 });
    for (let round = 0; round < 5; round += 1) {
      await made.run(preview(small()));
      // Its idle time is over now, and its exit event comes with the next turn at the earliest.
      await new Promise<void>((resolve) => setTimeout(resolve, 1));
      await made.run(preview(small()));
    }
  });

  test('an idle one ends, and stopping ends all', async () => {
    const idle = pool({ idleMs: 20 });
    await idle.run(preview(small()));
    const [pid = 0] = idle.pids;
    await until(() => !isAlive(pid));
    const busy = pool();
    const job = busy.run({ kind: 'convert', path: longCsv(), format: 'csv', folder });
    const [worker = 0] = busy.pids;
    await Promise.all([busy.stop(), expect(job).rejects.toThrow()]);
    expect(isAlive(worker)).toBe(false);
    await expect(busy.run(preview(small()))).rejects.toThrow('Too many tables');
  });
});

describe('large files', () => {
  const rows = Array.from({ length: 400_000 }, (_, index) => `${index},name ${index}`).join('\n');

  test('answer their first rows at once, and everything once they are converted', async () => {
    const { tables, put } = startTables({ waitForBytes: 0 });
    const source = put(`id,name\n${rows}\n`);
    const first = await tables.page(source, plain, 'ada');
    expect(first.rows).toEqual([
      [0, 'name 0'],
      [1, 'name 1'],
      [2, 'name 2'],
    ]);
    const sorted: PageQuestion = { ...plain, sort: { column: 'id', direction: 'desc' } };
    let answer = await tables.page(source, sorted, 'ada');
    while (!answer.is_complete) {
      expect(answer).toMatchObject({ rows: [], total: null, total_rows: null });
      answer = await tables.page(source, sorted, 'ada');
    }
    expect(answer).toMatchObject({ total: 400_000, total_rows: 400_000, progress: null });
    expect(answer.rows[0]).toEqual([399_999, 'name 399999']);
  });

  test('one caller cannot use all of the pool', async () => {
    const { tables, put } = startTables();
    const source = put('a\n1\n');
    const answers = await Promise.allSettled(Array.from({ length: 12 }, () => tables.page(source, plain, 'eve')));
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(4);
    expect((await tables.page(source, plain, 'ada')).rows).toEqual([[1]]);
    expect((await tables.page(source, plain, 'eve')).rows).toEqual([[1]]);
  });
});

describe('the cache', () => {
  const entries = () => readdirSync(join(folder, 'cache')).filter((name) => /^[0-9a-f]{64}-/.test(name));

  test('keeps the most recently used tables, within its size', async () => {
    const { tables, put } = startTables({ cacheBytes: 30_000 });
    const noise = (seed: number) =>
      `n\n${Array.from({ length: 1_000 }, (_, index) => createHash('sha256').update(`${seed}-${index}`).digest('hex')).join('\n')}\n`;
    const sources = [1, 2, 3].map((seed) => put(noise(seed)));
    for (const source of sources) await tables.page(source, plain, 'ada');
    await tables.sweep();
    expect(entries()).toEqual([`${sources[2]?.sha256}-csv`]);
    // The deleted table is built again.
    const [first] = sources;
    expect(first && (await tables.page(first, plain, 'ada')).total).toBe(1_000);
  });

  test('deletes leftovers of a server that was killed', async () => {
    mkdirSync(join(folder, 'cache', 'incoming-x'), { recursive: true });
    mkdirSync(join(folder, 'cache', 'spill-1'));
    const { tables, put } = startTables();
    await tables.page(put('a\n1\n'), plain, 'ada');
    expect(readdirSync(join(folder, 'cache')).filter((name) => /^(incoming|spill)/.test(name))).toEqual([]);
  });

  test('holds a copy of a blob from another store', async () => {
    const { put, blobs } = startTables();
    const source = put('a\n1\n');
    const elsewhere = createTables({
      folder: join(folder, 'cache'),
      memoryMb: 256,
      cacheBytes: 1024 ** 2,
      blobs: { localPath: async () => null, get: async (sha256) => createReadStream(join(blobs, sha256)) },
    });
    onTestFinished(() => elsewhere.stop());
    expect((await elsewhere.page(source, plain, 'ada')).rows).toEqual([[1]]);
    expect(entries().sort()).toEqual([`${source.sha256}-csv`, `${source.sha256}-source`]);
  });
});
