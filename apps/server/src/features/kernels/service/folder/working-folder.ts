import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { cleanPath, pathProblem, uploadLimits } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';

/** The state of a file when it was last equal here and in the project. */
interface Known {
  blob: string;
  size: number;
  modified: number;
  /** Whether a walk has seen it in the folder: a file that was never here cannot be deleted here. */
  isSeen: boolean;
  /** The number of walks in a row that did not find it: code may delete a file only to write it again. */
  missed: number;
  /** After a restart: the time of the project's version. An older file here is not a change. */
  since?: number;
}

export interface FolderChanges {
  saved: { path: string; blob: string; size: number }[];
  deleted: { path: string; blob: string }[];
  /** Messages for the person about files that were not kept. */
  notices: string[];
  /** The stored bytes, and whether there was more than allowed. */
  bytes: number;
  isFull: boolean;
}

interface Found {
  path: string;
  size: number;
  modified: number;
  /** The time it got there or was last written; users' code cannot set it, unlike the modification time. */
  changed: number;
  folder: string;
  name: string;
}

interface Tally {
  files: number;
  folders: number;
  /** The limit that was exceeded, so that the rest was not examined. */
  excess: 'files' | 'folders' | null;
}

const mostFiles = 10_000;
/** A file this new is most likely still being written. */
const freshMs = 500;
/** Caches and similar files belong to the kernel. */
const isIgnored = (name: string) => name.startsWith('.') || name === '__pycache__';
const isOurs = (path: string) => !path.split('/').some(isIgnored);

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const makeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * A kernel's working folder. Users' code may replace a file or folder by a link at any moment, so every step goes through
 * the descriptor of an open folder: no link is followed, on the way or at the end.
 */
export class WorkingFolder {
  readonly #root: string;
  readonly #blobs: BlobStore;
  readonly #known = new Map<string, Known>();
  /** The project's files at the last look. */
  readonly #project = new Map<string, string>();
  /** Older files here were saved to the project; one that is missing there was renamed while the server was away. */
  #savedBefore = 0;

  constructor(root: string, blobs: BlobStore) {
    this.#root = root;
    this.#blobs = blobs;
  }

  /** Copies the project's files into the folder; returns messages about files that did not fit. */
  async fill(files: { path: string; blob: string }[], directories: string[]): Promise<string[]> {
    const notices: string[] = [];
    const ifPossible = async (path: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        // A project limits characters of a name, a disk limits bytes.
        const why = hasCode(error, 'ENAMETOOLONG') ? 'its name is too long' : 'there is no room left for it';
        if (!hasCode(error, 'ENAMETOOLONG') && !hasCode(error, 'ENOSPC')) throw error;
        notices.push(`${path} is missing where the code runs: ${why}.`);
      }
    };
    for (const path of directories) {
      await ifPossible(path, () => this.#inFolder(path.split('/'), true, async () => {}));
    }
    for (const { path, blob } of files) {
      this.#project.set(path, blob);
      await ifPossible(path, () => this.#write(path, blob));
    }
    return notices;
  }

  /**
   * Applies changes of the project since the last look, except where the code has changed the same file meanwhile: its
   * version becomes the next one. True when a file was written or removed here.
   */
  async update(files: { path: string; blob: string }[]): Promise<boolean> {
    const tree = new Map(files.map(({ path, blob }) => [path, blob]));
    let isChanged = false;
    for (const path of [...this.#project.keys()].filter((each) => !tree.has(each))) {
      this.#project.delete(path);
      if (!(await this.#isAsKnown(path)) || !this.#known.delete(path)) continue;
      await this.#at(path, (place) => rm(place, { force: true }));
      isChanged = true;
    }
    for (const [path, blob] of tree) {
      if (this.#project.get(path) === blob) continue;
      this.#project.set(path, blob);
      // The content came from here, or the file has local changes that must be saved first.
      if (this.#known.get(path)?.blob === blob || !(await this.#isAsKnown(path))) continue;
      await this.#write(path, blob).catch(unlessNoPlace);
      isChanged = true;
    }
    return isChanged;
  }

  /** Whether the file is unchanged since it was last equal here and in the project. */
  async #isAsKnown(path: string): Promise<boolean> {
    const known = this.#known.get(path);
    let found: Awaited<ReturnType<typeof lstat>> | null = null;
    await this.#at(path, async (place) => {
      found = await lstat(place);
    }).catch(unlessNoPlace);
    const stat = found as Awaited<ReturnType<typeof lstat>> | null;
    if (!stat || !known) return !stat && !known;
    if (!stat.isFile()) return false;
    const isUnread = known.size === unread.size && Number(stat.mtimeMs) <= (known.since ?? 0);
    return isUnread || (known.size === stat.size && known.modified === stat.mtimeMs);
  }

  async #at(path: string, work: (place: string) => Promise<void>): Promise<void> {
    const names = path.split('/');
    const name = names.pop() ?? '';
    await this.#inFolder(names, false, (folder) => work(`${folder}/${name}`));
  }

  /** After a restart of the server no times are known, so each file is read again and compared. */
  remember(files: { path: string; blob: string; updatedAt: Date }[], savedBefore = 0): void {
    this.#savedBefore = savedBefore;
    for (const { path, blob, updatedAt } of files) {
      this.#project.set(path, blob);
      if (!isOurs(path)) continue;
      this.#known.set(path, { ...unread, blob, isSeen: false, since: updatedAt.getTime() });
    }
  }

  /** The changes since the last call; contents are stored as blobs before they are returned. */
  async changes(options: { isFinal: boolean; now?: number; mostBytes?: number }): Promise<FolderChanges> {
    const changes: FolderChanges = { saved: [], deleted: [], notices: [], bytes: 0, isFull: false };
    const now = options.now ?? Date.now();
    const seen = new Set<string>();
    const tally: Tally = { files: 0, folders: 0, excess: null };
    for await (const { path, size, modified, changed, folder, name } of this.#files(tally)) {
      seen.add(path);
      const known = this.#known.get(path);
      if (known) Object.assign(known, { isSeen: true, missed: 0 });
      else if (changed < this.#savedBefore) {
        this.#known.set(path, { blob: '', size, modified, isSeen: false, missed: 0 });
        continue;
      }
      if (known && known.size === size && known.modified === modified) continue;
      if (!options.isFinal && now - modified < freshMs) continue;
      const problem = problemOf(path, size);
      if (problem) {
        changes.notices.push(`${path} was not kept: ${problem}`);
        continue;
      }
      if (changes.bytes + size > (options.mostBytes ?? Number.POSITIVE_INFINITY)) {
        changes.isFull = true;
        break;
      }
      const stored = await this.#read(folder, name);
      if (!stored) continue;
      this.#known.set(path, { ...stored, modified, isSeen: true, missed: 0 });
      if (known?.blob === stored.blob) continue;
      changes.bytes += stored.size;
      if (known?.since !== undefined && modified <= known.since) continue;
      changes.saved.push({ path, ...stored });
    }
    if (tally.excess) {
      changes.notices.push(
        `there are more than ${mostFiles.toLocaleString('en')} ${tally.excess}; the rest was not kept`,
      );
    }
    // A walk that did not cover everything cannot report deletions.
    else if (!changes.isFull) changes.deleted.push(...this.#gone(seen, options));
    return changes;
  }

  /** Restores changes that could not be stored in the project, so that the next call returns them again. */
  putBack({ saved, deleted }: Pick<FolderChanges, 'saved' | 'deleted'>): void {
    for (const { path } of saved) this.#known.set(path, { ...unread, blob: '', isSeen: true });
    for (const { path, blob } of deleted) this.#known.set(path, { ...unread, blob, isSeen: true, missed: 2 });
  }

  /** Whether any file changed, for sessions that may not save files: no content is read. */
  async hasChanged(options: { isFinal: boolean }): Promise<boolean> {
    const tally: Tally = { files: 0, folders: 0, excess: null };
    const seen = new Set<string>();
    for await (const { path, size, modified } of this.#files(tally)) {
      seen.add(path);
      const known = this.#known.get(path);
      if (!known) return true;
      if (known.size !== unread.size && (known.size !== size || known.modified !== modified)) return true;
    }
    return !tally.excess && this.#gone(seen, options).length > 0;
  }

  #gone(seen: Set<string>, { isFinal }: { isFinal: boolean }): { path: string; blob: string }[] {
    const gone = [];
    for (const [path, known] of this.#known) {
      if (seen.has(path)) continue;
      known.missed += 1;
      if (!known.isSeen || (known.missed < 2 && !isFinal)) continue;
      gone.push({ path, blob: known.blob });
      this.#known.delete(path);
    }
    return gone;
  }

  async #write(path: string, blob: string): Promise<void> {
    const names = path.split('/');
    const name = names.pop() ?? '';
    await this.#inFolder(names, true, async (folder) => {
      const content = await this.#blobs.get(blob);
      if (!content) return;
      const draft = `${folder}/.atoll-${randomBytes(4).toString('hex')}`;
      const file = await open(draft, makeFlags, 0o644);
      try {
        await file.writeFile(content);
        await rename(draft, `${folder}/${name}`);
        const { size, mtimeMs } = await file.stat();
        if (isOurs(path)) this.#known.set(path, { blob, size, modified: mtimeMs, isSeen: true, missed: 0 });
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    });
  }

  async #read(folder: string, name: string): Promise<{ blob: string; size: number } | null> {
    const file = await open(`${folder}/${name}`, readFlags).catch(() => null);
    if (!file) return null;
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      const { sha256, size } = await this.#blobs.put(Readable.from(chunksOf(file, stat.size)), uploadLimits.file);
      return { blob: sha256, size };
    } catch {
      // The file became too large, or was deleted, while it was read.
      return null;
    } finally {
      await file.close();
    }
  }

  /** A folder that cannot be read is an error, so that its files do not count as deleted. */
  async *#files(tally: Tally): AsyncGenerator<Found> {
    yield* walk(await open(this.#root, folderFlags), '', 0, tally);
  }

  /** Opens one folder after the other, each inside the last. */
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

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  // Start small: most files are small, and there may be thousands.
  const length = Math.min(size + 1, 256 * 1024);
  for (;;) {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.allocUnsafe(length) });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const byNumber = (folder: FileHandle) => `/proc/self/fd/${folder.fd}`;
const deepest = 20;
const unread = { size: -1, modified: -1, missed: 0 };
const hasCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;

/** Ignores a path that does not exist or cannot: its folder is gone, or is a file or a link now. */
function unlessNoPlace(error: unknown): void {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'ENOSPC'].some((code) => hasCode(error, code)))
    throw error;
}

/** Ignores a file that was deleted since it was listed. */
function unlessGone(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}

async function* walk(handle: FileHandle, prefix: string, depth: number, tally: Tally): AsyncGenerator<Found> {
  try {
    const folder = byNumber(handle);
    // Read one entry after the other, because their number is unknown.
    for await (const entry of await opendir(folder)) {
      const { name } = entry;
      if (isIgnored(name)) continue;
      const path = `${prefix}${name}`;
      if (entry.isDirectory() && depth < deepest) {
        if (++tally.folders > mostFiles) tally.excess = 'folders';
        const next = tally.excess ? null : await open(`${folder}/${name}`, folderFlags).catch(unlessGone);
        if (next) yield* walk(next, `${path}/`, depth + 1, tally);
      } else if (entry.isFile()) {
        const stat = await lstat(`${folder}/${name}`).catch(unlessGone);
        if (!stat?.isFile()) continue;
        if (++tally.files > mostFiles) tally.excess = 'files';
        else yield { path, size: stat.size, modified: stat.mtimeMs, changed: stat.ctimeMs, folder, name };
      }
      if (tally.excess) return;
    }
  } finally {
    await handle.close();
  }
}

function problemOf(path: string, size: number): string | null {
  if (size > uploadLimits.file) return `it is larger than ${uploadLimits.file / 1024 ** 2} MB`;
  return pathProblem(path) ?? (cleanPath(path) === path ? null : 'its name is written in another way than ours');
}
