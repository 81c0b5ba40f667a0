import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The working folder in the state that both sides last knew. Links are neither read nor written through. */
export interface ProjectFolder {
  /** The changes since the last call, for the kernel. Leaves out files that are too large or too many. */
  changes(): Promise<{ changed: { path: string; bytes: Uint8Array }[]; removed: string[] }>;
  /** Writes a file from the kernel, which is not trusted: false when it was refused. */
  write(path: string, bytes: Uint8Array): Promise<boolean>;
  makeFolder(path: string): Promise<boolean>;
  remove(path: string): Promise<boolean>;
  /** Call it when the kernel has lost its state. */
  forget(): void;
}

const MOST_FILES = 10_000;
const TEMPORARY = '.atoll-writing-';

export function projectFolder(root: string, limits: { fileBytes: number; folderBytes: number }): ProjectFolder {
  let known = new Map<string, { size: number; modified: number }>();
  let temporaries = 0;

  async function* files(folder = ''): AsyncGenerator<{ path: string; size: number; modified: number }> {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) yield* files(`${path}/`);
      else if (entry.isFile() && !entry.name.startsWith(TEMPORARY)) {
        const stat = await lstat(join(root, path)).catch(() => null);
        if (stat?.isFile()) yield { path, size: stat.size, modified: stat.mtimeMs };
      }
    }
  }

  /** Null for a path that leaves the folder or goes through anything but real folders. */
  async function parentOf(path: string, isMade: boolean): Promise<{ folder: string; name: string } | null> {
    const parts = path.split('/');
    const isOdd = (part: string) =>
      part === '' || part === '.' || part === '..' || /[\0\\]/.test(part) || part.length > 255;
    if (path.length > 1024 || parts.length > 32 || parts.some(isOdd)) return null;
    const name = parts.pop() as string;
    let folder = root;
    for (const part of parts) {
      folder = join(folder, part);
      if (isMade) await mkdir(folder).catch(() => undefined);
      const stat = await lstat(folder).catch(() => null);
      if (!stat?.isDirectory()) return null;
    }
    return { folder, name };
  }

  return {
    async changes() {
      const changed: { path: string; bytes: Uint8Array }[] = [];
      const now = new Map<string, { size: number; modified: number }>();
      let sum = 0;
      for await (const { path, size, modified } of files()) {
        sum += size;
        if (size > limits.fileBytes || sum > limits.folderBytes || now.size >= MOST_FILES) continue;
        const before = known.get(path);
        now.set(path, { size, modified });
        if (before?.size === size && before.modified === modified) continue;
        const file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => null);
        if (!file) continue;
        try {
          const bytes = await file.readFile();
          if (bytes.length <= limits.fileBytes) changed.push({ path, bytes });
        } finally {
          await file.close();
        }
      }
      const removed = [...known.keys()].filter((path) => !now.has(path));
      known = now;
      return { changed, removed };
    },
    async write(path, bytes) {
      if (bytes.length > limits.fileBytes || (known.size >= MOST_FILES && !known.has(path))) return false;
      let sum = bytes.length - (known.get(path)?.size ?? 0);
      for (const { size } of known.values()) sum += size;
      if (sum > limits.folderBytes) return false;
      const place = await parentOf(path, true);
      if (!place) return false;
      const whole = join(place.folder, place.name);
      if ((await lstat(whole).catch(() => null))?.isDirectory()) return false;
      temporaries += 1;
      const temporary = join(place.folder, `${TEMPORARY}${temporaries}`);
      try {
        await rm(temporary, { force: true });
        const file = await open(temporary, 'wx');
        try {
          await file.writeFile(bytes);
        } finally {
          await file.close();
        }
        // Renaming replaces a link instead of following it.
        await rename(temporary, whole);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      const stat = await lstat(whole);
      known.set(path, { size: stat.size, modified: stat.mtimeMs });
      return true;
    },
    async makeFolder(path) {
      const place = await parentOf(`${path}/-`, true);
      return place !== null;
    },
    async remove(path) {
      // Removes only files that the kernel was given or has written.
      if (!known.delete(path)) return false;
      const place = await parentOf(path, false);
      if (!place) return false;
      await unlink(join(place.folder, place.name)).catch(() => undefined);
      return true;
    },
    forget() {
      known = new Map();
    },
  };
}
