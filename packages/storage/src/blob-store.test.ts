import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type BlobStore,
  BlobTooLarge,
  checkedBlobs,
  folderBlobs,
  type ListedBlob,
  memoryBlobs,
  s3Blobs,
  storageProblemOf,
} from './index.ts';
import { startS3 } from './s3-test-server.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const stores: Record<string, (folder: string) => Promise<BlobStore>> = {
  folder: async (folder) => folderBlobs(folder),
  memory: async () => memoryBlobs(),
  S3: async (folder) => {
    const { options, stop } = await startS3();
    onTestFinished(stop);
    return s3Blobs({ ...options, spoolFolder: join(folder, 'incoming'), pageSize: 10 });
  },
};

const helloWorld = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
const content = () => Readable.from([Buffer.from('hello '), Buffer.from('world')]);

async function listed(blobs: BlobStore): Promise<ListedBlob[]> {
  const all: ListedBlob[] = [];
  for await (const blob of blobs.list()) all.push(blob);
  return all.sort((a, b) => a.sha256.localeCompare(b.sha256));
}

async function read(blobs: BlobStore, range?: { start: number; end: number }): Promise<string | null> {
  const stored = await blobs.get(helloWorld, range);
  return stored && text(stored);
}

describe.each(Object.entries(stores))('blobs: %s', (_name, open) => {
  async function setUp() {
    const folder = await temporaryFolder();
    const spooling = () => readdir(join(folder, 'incoming')).catch(() => []);
    return { blobs: await open(folder), folder, spooling };
  }

  test('keeps bytes under their SHA-256 and reads them back', async () => {
    const { blobs, spooling } = await setUp();
    expect(await blobs.put(content(), 100)).toEqual({ sha256: helloWorld, size: 11 });
    expect(await read(blobs)).toBe('hello world');
    expect(await spooling()).toEqual([]);
  });

  test('the empty blob is a blob', async () => {
    const { blobs } = await setUp();
    const { sha256, size } = await blobs.put(Readable.from([]), 1);
    expect(size).toBe(0);
    const stored = await blobs.get(sha256);
    expect(stored && (await text(stored))).toBe('');
  });

  test('a part of it: first and last byte included', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    expect(await read(blobs, { start: 6, end: 8 })).toBe('wor');
    expect(await read(blobs, { start: 10, end: 10 })).toBe('d');
  });

  test('large content arrives whole', async () => {
    const { blobs } = await setUp();
    const bytes = Buffer.alloc(9 * 1024 ** 2, 'atoll ');
    const { sha256, size } = await blobs.put(Readable.from([bytes.subarray(0, 77), bytes.subarray(77)]), 10 ** 8);
    expect({ sha256, size }).toEqual({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    });
    const stored = await blobs.get(sha256);
    expect(stored && bytes.equals(await buffer(stored))).toBe(true);
  });

  test('the same bytes twice are one blob', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    await blobs.put(content(), 100);
    expect(await listed(blobs)).toMatchObject([{ sha256: helloWorld, isAside: false }]);
  });

  test('takes over a file', async () => {
    const { blobs, folder } = await setUp();
    const path = join(folder, 'part');
    await writeFile(path, 'hello world');
    await blobs.putFile(path, { sha256: helloWorld, size: 11 });
    expect(await read(blobs)).toBe('hello world');
    await expect(access(path)).rejects.toThrow('ENOENT');
  });

  test('refuses what is too large and leaves nothing behind', async () => {
    const { blobs, spooling } = await setUp();
    await expect(blobs.put(content(), 10)).rejects.toThrow(BlobTooLarge);
    expect(await blobs.get(helloWorld)).toBeNull();
    expect(await spooling()).toEqual([]);
  });

  test('a stream that breaks leaves nothing behind', async () => {
    const { blobs, spooling } = await setUp();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('hel');
        throw new Error('connection lost');
      })(),
    );
    await expect(blobs.put(broken, 100)).rejects.toThrow('connection lost');
    expect(await spooling()).toEqual([]);
    expect(await listed(blobs)).toEqual([]);
  });

  test('lists everything with its time', async () => {
    const { blobs } = await setUp();
    const before = Date.now() - 2_000;
    for (let count = 0; count < 25; count++) await blobs.put(Readable.from([Buffer.from(`number ${count}`)]), 100);
    const all = await listed(blobs);
    expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(25);
    for (const { since } of all) expect(since.getTime()).toBeGreaterThan(before);
  });

  test('is deleted in two steps', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    await blobs.delete(helloWorld);
    expect(await listed(blobs)).toMatchObject([{ isAside: false }]);
    await blobs.setAside(helloWorld);
    expect(await listed(blobs)).toMatchObject([{ sha256: helloWorld, isAside: true }]);
    await blobs.delete(helloWorld);
    expect(await listed(blobs)).toEqual([]);
    expect(await blobs.get(helloWorld)).toBeNull();
  });

  test('what was set aside comes back by being asked for, also in part, and by hand', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    for (const bring of [() => read(blobs), () => read(blobs, { start: 0, end: 4 }), () => blobs.restore(helloWorld)]) {
      await blobs.setAside(helloWorld);
      expect(await bring()).toBeTruthy();
      expect(await listed(blobs)).toMatchObject([{ isAside: false }]);
    }
    expect(await blobs.restore(helloWorld)).toBe(false);
  });

  test('the same bytes stored again outlive the deletion of the old ones', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    await blobs.setAside(helloWorld);
    await blobs.put(content(), 100);
    await blobs.delete(helloWorld);
    expect(await read(blobs)).toBe('hello world');
  });

  test('what was set aside anew since it was listed stays', async () => {
    const { blobs } = await setUp();
    await blobs.put(content(), 100);
    await blobs.setAside(helloWorld);
    const [now] = await listed(blobs);
    const since = now?.since ?? new Date(0);
    await blobs.delete(helloWorld, new Date(since.getTime() - 60_000));
    expect(await listed(blobs)).toMatchObject([{ isAside: true }]);
    await blobs.delete(helloWorld, since);
    expect(await listed(blobs)).toEqual([]);
    await blobs.delete(helloWorld, since);
  });

  test('bytes stored while the old ones are being set aside are never lost', async () => {
    const { blobs } = await setUp();
    // The S3 of the tests removes a folder with its last object, even while another one is being written into it.
    await blobs.put(Readable.from([Buffer.from('another')]), 100);
    for (let round = 0; round < 20; round++) {
      await blobs.put(content(), 100);
      await Promise.all([blobs.setAside(helloWorld), blobs.put(content(), 100)]);
      expect(await read(blobs)).toBe('hello world');
    }
  });

  test('nothing is not an error: setting aside, restoring and deleting what is not there', async () => {
    const { blobs } = await setUp();
    await blobs.setAside(helloWorld);
    expect(await blobs.restore(helloWorld)).toBe(false);
    await blobs.delete(helloWorld);
    expect(await blobs.get(helloWorld)).toBeNull();
  });

  test('a name that is no hash is refused', async () => {
    const { blobs } = await setUp();
    for (const use of [blobs.get, blobs.setAside, blobs.restore, blobs.delete])
      await expect((async () => use('../../etc/passwd'))()).rejects.toThrow('Not a SHA-256');
  });
});

test('an object store that refuses says why', async () => {
  const { options, stop } = await startS3();
  onTestFinished(stop);
  const wrongKey = s3Blobs({ ...options, accessKeyId: 'wrong' });
  await expect(wrongKey.put(content(), 100)).rejects.toThrow('The object store answered 403');
  const wrongBucket = s3Blobs({ ...options, bucket: 'another' });
  await expect(wrongBucket.put(content(), 100)).rejects.toThrow('404 NoSuchBucket');
});

test('an object store that does not answer is unavailable; one that is full says so', async () => {
  const { options, stop } = await startS3();
  const blobs = s3Blobs(options);
  await blobs.put(content(), 100);
  await stop();
  const problemOf = (work: Promise<unknown>) => work.then(() => null, storageProblemOf);
  expect(await problemOf(blobs.get(helloWorld))).toBe('unavailable');
  expect(await problemOf(blobs.put(content(), 100))).toBe('unavailable');
  const full = createServer((_request, response) => response.writeHead(507).end()).listen(0, '127.0.0.1');
  await once(full, 'listening');
  onTestFinished(() => void full.close());
  const { port } = full.address() as AddressInfo;
  expect(await problemOf(s3Blobs({ ...options, endpoint: `http://127.0.0.1:${port}` }).get(helloWorld))).toBe('full');
  expect(storageProblemOf(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe('full');
  expect(storageProblemOf(new Error('wrapped', { cause: Object.assign(new Error(), { code: 'EDQUOT' }) }))).toBe(
    'full',
  );
  expect(storageProblemOf(new Error('another'))).toBeNull();
});

test('bytes that are not those of the hash end in an error before their last chunk', async () => {
  const folder = await temporaryFolder();
  const blobs = checkedBlobs(folderBlobs(folder));
  const bytes = Buffer.alloc(300_000, 'atoll ');
  const { sha256 } = await blobs.put(Readable.from([bytes]), 10 ** 6);
  const whole = async () => buffer((await blobs.get(sha256)) ?? Readable.from([]));
  expect(bytes.equals(await whole())).toBe(true);
  const path = (await blobs.localPath(sha256)) ?? '';
  const wrong = Buffer.from(bytes);
  wrong[123_456] = 0;
  await writeFile(path, wrong);
  await expect(whole()).rejects.toMatchObject({ problem: 'damaged' });
  await writeFile(path, bytes.subarray(0, 1_000));
  await expect(whole()).rejects.toMatchObject({ problem: 'damaged' });
  // A part has no hash to compare with.
  expect((await buffer((await blobs.get(sha256, { start: 0, end: 5 })) ?? Readable.from([]))).toString()).toBe(
    'atoll ',
  );
});
