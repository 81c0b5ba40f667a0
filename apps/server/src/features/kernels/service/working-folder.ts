import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { cleanPath, pathProblem, uploadLimits } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';

/** What both sides knew of a file when it was last the same here and in the project. */
interface Known {
  blob: string;
  size: number;
  modified: number;
}

export interface FolderChanges {
  saved: { path: string; blob: string; size: number }[];
  deleted: { path: string; blob: string }[];
  /** For the person: what was not taken. */
  notices: string[];
}

const mostFiles = 10_000;
/** Still being written, most likely. */
const freshMs = 500;
/** Caches and the like are the kernel's own. */
const isIgnored = (name: string) => name.startsWith('.') || name === '__pycache__';

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const makeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * A kernel's working folder, in which users' code may at any moment put a link in the place of a file or folder. So every
 * step goes through a folder that is held open, by its number: no link is followed, on the way or at the end.
 */
export class WorkingFolder {
  readonly #root: string;
  readonly #blobs: BlobStore;
  readonly #known = new Map<string, Known>();

  constructor(root: string, blobs: BlobStore) {
    this.#root = root;
    this.#blobs = blobs;
  }

  /** Puts the project's files into it. */
  async fill(files: { path: string; blob: string }[], directories: string[]): Promise<void> {
    for (const path of directories) await this.#inFolder(path.split('/'), true, async () => {});
    for (const file of files) await this.#write(file.path, file.blob);
  }

  /** After a restart of the server: no time is known, so each file is read again, and found to be the same or not. */
  remember(files: { path: string; blob: string }[]): void {
    for (const { path, blob } of files) this.#known.set(path, { blob, size: -1, modified: -1 });
  }

  /** What is different from when it was last asked; contents are stored as blobs before they are answered. */
  async changes(options: { isFinal: boolean; now?: number }): Promise<FolderChanges> {
    const changes: FolderChanges = { saved: [], deleted: [], notices: [] };
    const now = options.now ?? Date.now();
    const seen = new Set<string>();
    let count = 0;
    for await (const { path, size, modified, folder, name } of this.#files()) {
      seen.add(path);
      count += 1;
      const known = this.#known.get(path);
      if (known && known.size === size && known.modified === modified) continue;
      if (!options.isFinal && now - modified < freshMs) continue;
      const problem = count > mostFiles ? `there are more than ${mostFiles} files` : problemOf(path, size);
      if (problem) {
        changes.notices.push(`${path} was not kept: ${problem}`);
        continue;
      }
      const stored = await this.#read(folder, name);
      if (!stored) continue;
      this.#known.set(path, { ...stored, modified });
      if (known?.blob !== stored.blob) changes.saved.push({ path, blob: stored.blob, size: stored.size });
    }
    for (const [path, { blob }] of this.#known) {
      if (seen.has(path)) continue;
      changes.deleted.push({ path, blob });
      this.#known.delete(path);
    }
    return changes;
  }

  async #write(path: string, blob: string): Promise<void> {
    const names = path.split('/');
    const name = names.pop() ?? '';
    await this.#inFolder(names, true, async (folder) => {
      const content = await this.#blobs.get(blob);
      if (!content) return;
      const draft = `${folder}/.atoll-${process.pid}-${name}`.slice(0, 200);
      await rm(draft, { force: true });
      const file = await open(draft, makeFlags, 0o644);
      try {
        await file.writeFile(content);
        await rename(draft, `${folder}/${name}`);
        const { size, mtimeMs } = await file.stat();
        this.#known.set(path, { blob, size, modified: mtimeMs });
      } finally {
        await file.close();
      }
    });
  }

  async #read(folder: string, name: string): Promise<{ blob: string; size: number } | null> {
    const file = await open(`${folder}/${name}`, readFlags).catch(() => null);
    if (!file) return null;
    try {
      if (!(await file.stat()).isFile()) return null;
      const { sha256, size } = await this.#blobs.put(Readable.from(chunksOf(file)), uploadLimits.file);
      return { blob: sha256, size };
    } catch {
      // It became too large, or was taken away, while it was read.
      return null;
    } finally {
      await file.close();
    }
  }

  async *#files(): AsyncGenerator<{ path: string; size: number; modified: number; folder: string; name: string }> {
    const root = await open(this.#root, folderFlags).catch(() => null);
    if (root) yield* walk(root, '', 0);
  }

  /** Opens one folder after the other, each below the last. */
  async #inFolder(names: string[], isMade: boolean, work: (folder: string) => Promise<void>): Promise<void> {
    let current = await open(this.#root, folderFlags);
    try {
      for (const name of names.filter(Boolean)) {
        const path = `${byNumber(current)}/${name}`;
        if (isMade) await mkdir(path).catch(() => {});
        const next = await open(path, folderFlags);
        await current.close();
        current = next;
      }
      await work(byNumber(current));
    } finally {
      await current.close();
    }
  }
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(256 * 1024) });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const byNumber = (folder: FileHandle) => `/proc/self/fd/${folder.fd}`;
const deepest = 20;

async function* walk(
  handle: FileHandle,
  prefix: string,
  depth: number,
): AsyncGenerator<{ path: string; size: number; modified: number; folder: string; name: string }> {
  try {
    const folder = byNumber(handle);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const { name } = entry;
      if (isIgnored(name)) continue;
      const path = `${prefix}${name}`;
      if (entry.isDirectory() && depth < deepest) {
        const next = await open(`${folder}/${name}`, folderFlags).catch(() => null);
        if (next) yield* walk(next, `${path}/`, depth + 1);
      } else if (entry.isFile()) {
        const stat = await lstat(`${folder}/${name}`).catch(() => null);
        if (stat?.isFile()) yield { path, size: stat.size, modified: stat.mtimeMs, folder, name };
      }
    }
  } finally {
    await handle.close();
  }
}

function problemOf(path: string, size: number): string | null {
  if (size > uploadLimits.file) return `it is larger than ${uploadLimits.file / 1024 ** 2} MB`;
  return pathProblem(path) ?? (cleanPath(path) === path ? null : 'its name is written in another way than ours');
}
