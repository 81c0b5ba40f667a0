import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { cleanPath, pathProblem, uploadLimits } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';

/** What both sides knew of a file when it was last the same here and in the project. */
interface Known {
  blob: string;
  size: number;
  modified: number;
  /** Whether it was in the folder while we looked: what was never here cannot be deleted here. */
  isSeen: boolean;
  /** How many walks in a row did not find it: code may take a file away only to write it anew. */
  missed: number;
  /** After a restart: when the project got it. What is older here is not news. */
  since?: number;
}

export interface FolderChanges {
  saved: { path: string; blob: string; size: number }[];
  deleted: { path: string; blob: string }[];
  /** For the person: what was not taken. */
  notices: string[];
  /** How much was stored, and whether there was more than allowed. */
  bytes: number;
  isFull: boolean;
}

interface Found {
  path: string;
  size: number;
  modified: number;
  /** When it got there or was last written; not for users' code to say, as the other time is. */
  changed: number;
  folder: string;
  name: string;
}

interface Tally {
  files: number;
  folders: number;
  /** What there was too much of, so that the rest was not looked at. */
  excess: 'files' | 'folders' | null;
}

const mostFiles = 10_000;
/** Still being written, most likely. */
const freshMs = 500;
/** Caches and the like are the kernel's own. */
const isIgnored = (name: string) => name.startsWith('.') || name === '__pycache__';
const isOurs = (path: string) => !path.split('/').some(isIgnored);

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
  /** What the project had when it was last looked at. */
  readonly #project = new Map<string, string>();
  /** What is older has been in the project: if it is not any more, somebody has renamed it there while we were away. */
  #savedBefore = 0;

  constructor(root: string, blobs: BlobStore) {
    this.#root = root;
    this.#blobs = blobs;
  }

  /** Puts the project's files into it; answers what had no place there, in words. */
  async fill(files: { path: string; blob: string }[], directories: string[]): Promise<string[]> {
    const notices: string[] = [];
    const ifPossible = async (path: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        // A project counts characters, a disk bytes.
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
   * Takes over what is different in the project since it was last looked at, except where the code has changed the same file
   * meanwhile: that becomes the next version. True when something was put here or taken away.
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
      // It came from here, or has to wait for what is here.
      if (this.#known.get(path)?.blob === blob || !(await this.#isAsKnown(path))) continue;
      await this.#write(path, blob).catch(unlessNoPlace);
      isChanged = true;
    }
    return isChanged;
  }

  /** Whether the code has left it as it was when it was last the same here and in the project. */
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

  /** After a restart of the server: no time is known, so each file is read again, and found to be the same or not. */
  remember(files: { path: string; blob: string; updatedAt: Date }[], savedBefore = 0): void {
    this.#savedBefore = savedBefore;
    for (const { path, blob, updatedAt } of files) {
      this.#project.set(path, blob);
      if (!isOurs(path)) continue;
      this.#known.set(path, { ...unread, blob, isSeen: false, since: updatedAt.getTime() });
    }
  }

  /** What is different from when it was last asked; contents are stored as blobs before they are answered. */
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
    // Who did not look everywhere cannot say that something is gone.
    else if (!changes.isFull) changes.deleted.push(...this.#gone(seen, options));
    return changes;
  }

  /** They could not be stored in the project: the next time they are told again. */
  putBack({ saved, deleted }: Pick<FolderChanges, 'saved' | 'deleted'>): void {
    for (const { path } of saved) this.#known.set(path, { ...unread, blob: '', isSeen: true });
    for (const { path, blob } of deleted) this.#known.set(path, { ...unread, blob, isSeen: true, missed: 2 });
  }

  /** Whether anything was written, for those of whom nothing is kept: nothing is read. */
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
      // It became too large, or was taken away, while it was read.
      return null;
    } finally {
      await file.close();
    }
  }

  /** A folder that cannot be read is an error: nothing that is in it is gone. */
  async *#files(tally: Tally): AsyncGenerator<Found> {
    yield* walk(await open(this.#root, folderFlags), '', 0, tally);
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

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  // Most files are small, and there may be thousands.
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

/** What is not there, or cannot be: its folder is gone, or is a file or a link now. */
function unlessNoPlace(error: unknown): void {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENAMETOOLONG', 'ENOSPC'].some((code) => hasCode(error, code)))
    throw error;
}

/** Taken away since it was listed. */
function unlessGone(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null;
  throw error;
}

async function* walk(handle: FileHandle, prefix: string, depth: number, tally: Tally): AsyncGenerator<Found> {
  try {
    const folder = byNumber(handle);
    // One entry after the other: nobody knows how many there are.
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
