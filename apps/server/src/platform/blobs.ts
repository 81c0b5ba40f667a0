import type { Readable } from 'node:stream';
import { type BlobStore, type ByteRange, StorageError } from '@atoll/storage';

/** Reads the bytes that a row refers to. The store lacks them if it was restored without them or is a different store. */
export async function readBlob({ blobs }: { blobs: BlobStore }, blob: string, range?: ByteRange): Promise<Readable> {
  const content = await blobs.get(blob, range);
  if (!content) throw missingBlob(blob);
  return content;
}

export const missingBlob = (blob: string): StorageError => new StorageError('damaged', `Blob ${blob} is missing`);
