import type { Readable } from 'node:stream';

export interface StoredBlob {
  sha256: string;
  size: number;
}

/** First and last byte, both included, as HTTP counts them. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface ListedBlob {
  sha256: string;
  /** When it was stored, or set aside. */
  since: Date;
  isAside: boolean;
}

export interface BlobStore {
  /** Stores a stream with flat memory; refuses with BlobTooLarge past `maxSize` and then keeps nothing. */
  put(content: Readable, maxSize: number): Promise<StoredBlob>;
  /** Takes over a file of this machine whose hash is known; it is gone from its place afterwards. */
  putFile(path: string, blob: StoredBlob): Promise<void>;
  /** Null when there is no such blob. What was set aside comes back by being asked for. */
  get(sha256: string, range?: ByteRange): Promise<Readable | null>;
  /** Where the blob lies as a file on this machine, for readers that need one; null when it does not. */
  localPath(sha256: string): Promise<string | null>;
  /** All there are, in no order; one that comes or goes meanwhile may be missing. */
  list(): AsyncIterable<ListedBlob>;
  /**
   * The first of two steps of deleting. Somebody may be about to refer to the same bytes, having been told that they are
   * stored: until the second step, a day later, such a blob is still found.
   */
  setAside(sha256: string): Promise<void>;
  /** Whether there was one to bring back. */
  restore(sha256: string): Promise<boolean>;
  /**
   * The second step: what was set aside goes for good. A blob stored anew since then stays, as does one that was set aside
   * anew since it was listed.
   */
  delete(sha256: string, since?: Date): Promise<void>;
}

export class BlobTooLarge extends Error {
  constructor(maxSize: number) {
    super(`The content is larger than ${maxSize} bytes`);
    this.name = 'BlobTooLarge';
  }
}

/** A name that is no hash could reach outside the store. */
export function assertHash(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('Not a SHA-256');
  return sha256;
}
