import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobTooLarge, type StoredBlob } from './blob-store.ts';

/** Writes a stream to a file of its own while hashing it, then hands it on; a stream that breaks leaves no file. */
export async function spooled(
  folder: string,
  content: Readable,
  maxSize: number,
  store: (path: string, blob: StoredBlob) => Promise<void>,
): Promise<StoredBlob> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (size > maxSize) done(new BlobTooLarge(maxSize));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(content, measure, createWriteStream(path, { mode: 0o600, flush: true }));
    const blob = { sha256: hash.digest('hex'), size };
    await store(path, blob);
    return blob;
  } finally {
    await rm(path, { force: true });
  }
}
