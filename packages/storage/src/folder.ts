import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, BlobTooLarge } from './blob-store.ts';

/** Blobs as files, `ab/cd/abcd…`; written beside and renamed in place, so that a half-written blob is never seen. */
export function folderBlobs(folder: string): BlobStore {
  const pathOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Not a SHA-256');
    return join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };
  const existing = (path: string): Promise<string | null> =>
    access(path).then(
      () => path,
      () => null,
    );
  return {
    async put(content, maxSize) {
      const incoming = join(folder, 'incoming', randomUUID());
      await mkdir(dirname(incoming), { recursive: true, mode: 0o700 });
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
        await pipeline(content, measure, createWriteStream(incoming, { mode: 0o600 }));
        const file = await open(incoming, 'r+');
        await file.sync();
        await file.close();
        const sha256 = hash.digest('hex');
        const path = pathOf(sha256);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(incoming, path);
        return { sha256, size };
      } catch (error) {
        await rm(incoming, { force: true });
        throw error;
      }
    },
    async get(sha256) {
      const path = await existing(pathOf(sha256));
      return path ? createReadStream(path) : null;
    },
    localPath: async (sha256) => existing(pathOf(sha256)),
    async delete(sha256) {
      await rm(pathOf(sha256), { force: true });
    },
  };
}
