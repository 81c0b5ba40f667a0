import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { assertHash, type BlobStore, BlobTooLarge, type StoredBlob } from './blob-store.ts';

interface Kept {
  bytes: Buffer;
  since: Date;
}

/** Blobs that go with the process: for tests and trials. */
export function memoryBlobs(): BlobStore {
  const kept = new Map<string, Kept>();
  const aside = new Map<string, Kept>();

  function keep(bytes: Buffer): StoredBlob {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    kept.set(sha256, { bytes, since: new Date() });
    return { sha256, size: bytes.length };
  }

  function moveTo(from: Map<string, Kept>, to: Map<string, Kept>, sha256: string): boolean {
    const found = from.get(assertHash(sha256));
    if (!found) return false;
    from.delete(sha256);
    to.set(sha256, { ...found, since: new Date() });
    return true;
  }

  return {
    async put(content, maxSize) {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of content) {
        size += chunk.length;
        if (size > maxSize) throw new BlobTooLarge(maxSize);
        chunks.push(chunk);
      }
      return keep(Buffer.concat(chunks));
    },
    async putFile(path) {
      keep(await readFile(path));
      await rm(path);
    },
    async get(sha256, range) {
      const found = kept.get(assertHash(sha256)) ?? (moveTo(aside, kept, sha256) ? kept.get(sha256) : undefined);
      return found ? Readable.from([range ? found.bytes.subarray(range.start, range.end + 1) : found.bytes]) : null;
    },
    async *list() {
      for (const [sha256, { since }] of [...kept]) yield { sha256, since, isAside: false };
      for (const [sha256, { since }] of [...aside]) yield { sha256, since, isAside: true };
    },
    async setAside(sha256) {
      moveTo(kept, aside, sha256);
    },
    localPath: async () => null,
    restore: async (sha256) => moveTo(aside, kept, sha256),
    async delete(sha256, since) {
      const found = aside.get(assertHash(sha256));
      if (!since || found?.since.getTime() === since.getTime()) aside.delete(sha256);
    },
  };
}
