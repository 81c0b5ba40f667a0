/**
 * The blob port: bytes by their SHA-256. The same bytes are stored once, a blob never changes, and a reader needs only
 * the hash. Who may read a blob is not decided here.
 */
export * from './blob-store.ts';
export { checkedBlobs } from './checked.ts';
export { folderBlobs } from './folder.ts';
export { writeHashed } from './hashed-write.ts';
export { memoryBlobs } from './memory.ts';
export { type S3Options, s3Blobs } from './s3.ts';
export { StorageError, type StorageProblem, storageProblemOf } from './storage-error.ts';
