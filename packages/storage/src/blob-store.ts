import type { Readable } from 'node:stream';

export interface StoredBlob {
  sha256: string;
  size: number;
}

export interface BlobStore {
  /** Stores a stream with flat memory; refuses with BlobTooLarge past `maxSize` and then keeps nothing. */
  put(content: Readable, maxSize: number): Promise<StoredBlob>;
  /** Null when there is no such blob. */
  get(sha256: string): Promise<Readable | null>;
  /** Where the blob lies as a file on this machine, for readers that need one; null when it does not. */
  localPath(sha256: string): Promise<string | null>;
  delete(sha256: string): Promise<void>;
}

export class BlobTooLarge extends Error {
  constructor(maxSize: number) {
    super(`The content is larger than ${maxSize} bytes`);
    this.name = 'BlobTooLarge';
  }
}
