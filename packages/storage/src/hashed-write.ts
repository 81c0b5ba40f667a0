import type { Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobTooLarge } from './blob-store.ts';
import { StorageError } from './storage-error.ts';

/** So much is gathered before it is written: a write for every packet would cost more than the packet. */
const gathered = 1024 ** 2;

interface HashedWrite {
  path: string;
  hash: Hash;
  /** Where to begin; everything from there on is replaced. */
  offset: number;
  /** Past this it refuses with BlobTooLarge. */
  end: number;
  /** On the disk for good before it is answered. */
  flush?: boolean;
  /** The chunks are nobody else's: what is written is given back at once, not when garbage is next collected. */
  isDraining?: boolean;
}

/** Writes a stream to a file and hashes it on the way; answers where it ended. What was written before a break stays. */
export async function writeHashed(content: Readable, options: HashedWrite): Promise<number> {
  const { path, hash, offset, end, flush, isDraining } = options;
  const file = await open(path, offset === 0 ? 'w' : 'r+', 0o600);
  let size = offset;
  const write = async (buffers: Buffer[]) => {
    const length = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    if (size + length > end) throw new BlobTooLarge(end);
    const written = writeAll(file, buffers, size, length);
    // The disk works while the processor does.
    for (const buffer of buffers) hash.update(buffer);
    await written;
    if (isDraining) for (const buffer of buffers) giveBack(buffer);
    size += length;
  };
  const answer = (work: Promise<void>, done: (error?: Error | null) => void) => work.then(() => done(), done);
  const target = new Writable({
    highWaterMark: gathered,
    write: (chunk: Buffer, _encoding, done) => void answer(write([chunk]), done),
    writev: (chunks, done) => void answer(write(chunks.map(({ chunk }) => chunk)), done),
  });
  try {
    await pipeline(content, target);
    if (flush) await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** Small ones share their memory with others. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function writeAll(file: FileHandle, buffers: Buffer[], position: number, length: number): Promise<void> {
  const { bytesWritten } = await file.writev(buffers, position);
  if (bytesWritten === length) return;
  // A disk that is nearly full takes less than it is given.
  const rest = Buffer.concat(buffers).subarray(bytesWritten);
  if (bytesWritten === 0 && length > 0) throw new StorageError('full', 'Nothing more could be written');
  await writeAll(file, [rest], position + bytesWritten, rest.length);
}
