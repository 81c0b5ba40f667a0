import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { BlobTooLarge, type StoredBlob, writeHashed } from '@atoll/storage';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { contentKindOf, headLength } from '../content-kind.ts';
import type { ContentKind } from '../table.ts';

/** What has arrived of an upload, as a file of this machine until it is whole. Its length is the only truth about it. */

const folderOf = (ctx: Pick<Context, 'config'>) => join(ctx.config.dataFolder, 'uploads');
export const partPath = (ctx: Pick<Context, 'config'>, uploadId: string) => join(folderOf(ctx), uploadId);

export const partSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

export const dropPart = (ctx: Context, path: string): Promise<void> => {
  hashes(ctx).delete(path);
  return rm(path, { force: true });
};

interface Writer {
  content: Readable;
  ended: Promise<unknown>;
}

const writers = appState(() => new Map<string, Writer>());

export const wrongOffset = (received: number) =>
  new AppError('conflict', `${received} bytes of this upload have arrived; continue from there.`, {
    details: { received },
  });

/**
 * One writer at a time. A connection that was cut may look alive for minutes, so whoever continues exactly where it
 * stopped, or begins anew (no offset), takes its place; anybody else is told where the upload stands.
 */
export async function asOnlyWriter<Result>(
  ctx: Context,
  path: string,
  { content, offset }: { content: Readable; offset: number | null },
  work: () => Promise<Result>,
): Promise<Result> {
  const writing = writers(ctx);
  for (let other = writing.get(path); other; other = writing.get(path)) {
    const received = await partSize(path);
    if (offset !== null && offset !== received) throw wrongOffset(received);
    other.content.destroy(new AppError('conflict', 'Another connection has taken this upload over.'));
    await other.ended;
  }
  const running = Promise.withResolvers<void>();
  writing.set(path, { content, ended: running.promise });
  try {
    return await work();
  } finally {
    writing.delete(path);
    running.resolve();
  }
}

/** Hashes so far, kept so that the next part need not read the ones before it again. */
const hashes = appState(() => new Map<string, { hash: Hash; size: number }>());
const keptHashes = 500;

async function hashOf(ctx: Context, path: string, size: number): Promise<Hash> {
  const kept = hashes(ctx).get(path);
  hashes(ctx).delete(path);
  if (kept?.size === size) return kept.hash;
  const hash = createHash('sha256');
  if (size > 0) for await (const chunk of createReadStream(path, { end: size - 1 })) hash.update(chunk);
  return hash;
}

function keepHash(ctx: Context, path: string, hash: Hash, size: number): void {
  const kept = hashes(ctx).set(path, { hash, size });
  for (const oldest of kept.keys()) {
    if (kept.size <= keptHashes) break;
    kept.delete(oldest);
  }
}

/** Writes from `offset` on; what arrived before a break stays. Past `end` it refuses, and forgets this part. */
export async function appendPart(
  ctx: Context,
  path: string,
  content: Readable,
  { offset, end }: { offset: number; end: number },
): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = await hashOf(ctx, path, offset);
  const size = await writeHashed(content, { path, hash, offset, end, isDraining: true }).catch(
    async (error: unknown) => {
      if (error instanceof BlobTooLarge) await truncate(path, offset);
      throw error;
    },
  );
  keepHash(ctx, path, hash, size);
  return size;
}

export interface WholePart extends StoredBlob {
  contentKind: ContentKind | null;
}

/** Everything has arrived: on the disk for good, with its hash. */
export async function measurePart(ctx: Context, path: string, size: number): Promise<WholePart> {
  const sha256 = (await hashOf(ctx, path, size)).digest('hex');
  const file = await open(path, 'r+');
  try {
    await file.sync();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
    return { sha256, size, contentKind: contentKindOf(buffer.subarray(0, bytesRead)) };
  } finally {
    await file.close();
  }
}

/** Parts nobody has added to since then, and what a server that was killed left of contents on their way to the store. */
export async function sweepParts(ctx: Context, before: Date): Promise<void> {
  const { dataFolder } = ctx.config;
  for (const folder of [folderOf(ctx), join(dataFolder, 'spool'), join(dataFolder, 'blobs', 'incoming')]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found && found.mtime < before && !writers(ctx).has(path)) await dropPart(ctx, path);
    }
  }
}
