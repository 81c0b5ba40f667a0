import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BlobStore, BlobTooLarge, folderBlobs } from './index.ts';

describe('blobs in a folder', () => {
  let folder: string;
  let blobs: BlobStore;
  const content = () => Readable.from([Buffer.from('hello '), Buffer.from('world')]);
  const helloWorld = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobs-'));
    blobs = folderBlobs(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('keeps bytes under their SHA-256 and reads them back', async () => {
    expect(await blobs.put(content(), 100)).toEqual({ sha256: helloWorld, size: 11 });
    const stored = await blobs.get(helloWorld);
    expect(stored && (await text(stored))).toBe('hello world');
  });

  test('says where a blob lies, when it does', async () => {
    expect(await blobs.localPath(helloWorld)).toBeNull();
    await blobs.put(content(), 100);
    expect(await blobs.localPath(helloWorld)).toBe(join(folder, 'b9', '4d', helloWorld));
    await expect(blobs.localPath('../x')).rejects.toThrow('Not a SHA-256');
  });

  test('the same bytes twice are one blob', async () => {
    await blobs.put(content(), 100);
    await blobs.put(content(), 100);
    expect(await readdir(join(folder, 'b9', '4d'))).toEqual([helloWorld]);
  });

  test('refuses what is too large and leaves nothing behind', async () => {
    await expect(blobs.put(content(), 10)).rejects.toThrow(BlobTooLarge);
    expect(await blobs.get(helloWorld)).toBeNull();
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  test('a stream that breaks leaves nothing behind', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('hel');
        throw new Error('connection lost');
      })(),
    );
    await expect(blobs.put(broken, 100)).rejects.toThrow('connection lost');
    expect(await readdir(join(folder, 'incoming'))).toEqual([]);
  });

  test('deletes, and answers null for what is not there', async () => {
    await blobs.put(content(), 100);
    await blobs.delete(helloWorld);
    expect(await blobs.get(helloWorld)).toBeNull();
  });

  test('a name that is no hash cannot reach outside the folder', async () => {
    await expect(blobs.get('../../etc/passwd')).rejects.toThrow('Not a SHA-256');
  });
});
