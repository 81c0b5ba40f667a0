import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { StoredBlob } from './blob-store.ts';
import { writeHashed } from './hashed-write.ts';

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
  try {
    const size = await writeHashed(content, { path, hash, offset: 0, end: maxSize, flush: true });
    const blob = { sha256: hash.digest('hex'), size };
    await store(path, blob);
    return blob;
  } finally {
    await rm(path, { force: true });
  }
}
