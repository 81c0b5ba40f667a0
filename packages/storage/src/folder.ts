import { createReadStream } from 'node:fs';
import { access, copyFile, mkdir, opendir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertHash, type BlobStore, type ListedBlob, type StoredBlob } from './blob-store.ts';
import { spooled } from './spool.ts';

/** Blobs as files, `ab/cd/abcd…`; written beside and renamed in place, so that a half-written blob is never seen. */
export function folderBlobs(folder: string): BlobStore {
  const aside = join(folder, 'aside');
  const incoming = join(folder, 'incoming');
  const pathOf = (sha256: string) => join(folder, assertHash(sha256).slice(0, 2), sha256.slice(2, 4), sha256);
  const asidePathOf = (sha256: string) => join(aside, assertHash(sha256));

  async function take(path: string, { sha256 }: StoredBlob): Promise<void> {
    const place = pathOf(sha256);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await move(path, place);
  }

  async function restore(sha256: string): Promise<boolean> {
    const place = pathOf(sha256);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    return moved(asidePathOf(sha256), place);
  }

  async function localPath(sha256: string): Promise<string | null> {
    const path = pathOf(sha256);
    const isThere = (await exists(path)) || (await restore(sha256)) || (await exists(path));
    return isThere ? path : null;
  }

  return {
    put: (content, maxSize) => spooled(incoming, content, maxSize, take),
    putFile: take,
    async get(sha256, range) {
      const path = await localPath(sha256);
      return path ? createReadStream(path, range) : null;
    },
    localPath,
    async *list() {
      for (const first of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(first)) continue;
        for (const second of await namesIn(join(folder, first))) yield* listed(join(folder, first, second), false);
      }
      yield* listed(aside, true);
    },
    async setAside(sha256) {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const now = new Date();
      await utimes(pathOf(sha256), now, now).catch(ignoreMissing);
      await moved(pathOf(sha256), asidePathOf(sha256));
    },
    restore,
    async delete(sha256, since) {
      const found = await stat(asidePathOf(sha256)).catch(ignoreMissing);
      if (!since || found?.mtime.getTime() === since.getTime()) await rm(asidePathOf(sha256), { force: true });
    },
  };
}

async function* listed(folder: string, isAside: boolean): AsyncIterable<ListedBlob> {
  for (const sha256 of await namesIn(folder)) {
    if (!/^[0-9a-f]{64}$/.test(sha256)) continue;
    const found = await stat(join(folder, sha256)).catch(ignoreMissing);
    if (found) yield { sha256, since: found.mtime, isAside };
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await opendir(folder).catch(ignoreMissing);
  if (entries) for await (const entry of entries) names.push(entry.name);
  return names;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error) => ignoreMissing(error) ?? false,
  );

/** A file from another disk cannot be renamed into place; its copy can. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const near = `${to}.${process.pid}`;
    await copyFile(from, near);
    await rename(near, to);
    await rm(from, { force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
