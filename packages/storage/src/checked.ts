import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import type { BlobStore } from './blob-store.ts';
import { StorageError } from './storage-error.ts';

/** Compares the bytes of whole blobs with their hash while they are read. Parts have no hash to compare with. */
export function checkedBlobs(blobs: BlobStore): BlobStore {
  return {
    ...blobs,
    async get(sha256, range) {
      const content = await blobs.get(sha256, range);
      return content && !range ? checked(content, sha256) : content;
    },
  };
}

function checked(content: Readable, sha256: string): Readable {
  const hash = createHash('sha256');
  // The last chunk waits for the comparison: a reader who gets the end of a blob has got the right bytes.
  let last: Buffer | null = null;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      if (last) this.push(last);
      last = chunk;
      done();
    },
    flush(done) {
      if (hash.digest('hex') !== sha256)
        return done(new StorageError('damaged', `The bytes of blob ${sha256} are wrong`));
      if (last) this.push(last);
      done();
    },
  });
  // An error of either reaches the reader through `check`.
  return pipeline(content, check, () => {});
}
