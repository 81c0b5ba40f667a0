import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, opendir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** What a file system has in it; null where it is not told. */
export async function usedBytes(mount: string): Promise<number | null> {
  const found = await statfs(mount).catch(() => null);
  return found && (found.blocks - found.bfree) * found.bsize;
}

/** What the folders take on the disk. Links are not followed: users make them, and they lead anywhere. */
export async function diskBytes(folders: string[], enough: number): Promise<number> {
  let total = 0;
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await opendir(folder).catch(() => null);
    if (!entries) continue;
    try {
      for await (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) open.push(path);
        const found = await lstat(path).catch(() => null);
        total += (found?.blocks ?? 0) * 512;
        if (total > enough) return total;
      }
    } catch {
      // It went away while it was read.
    }
  }
  return total;
}

export interface Unnamed {
  bytes: number;
  /** Descriptors that were sent and not received yet: what they are of nobody can see. */
  inFlight: number;
}

/** Files that are open or mapped and have no name any more: no folder shows them. */
export async function unnamedFiles(pids: number[]): Promise<Unnamed> {
  const files = new Map<string, number>();
  let inFlight = 0;
  for (const pid of pids) {
    // At once, which is five times as fast: Linux knows their names without asking a disk.
    for (const descriptor of attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
      const file = `/proc/${pid}/fd/${descriptor}`;
      const name = attempt(() => readlinkSync(file));
      if (name?.startsWith('socket:')) {
        const info = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? '';
        inFlight += Number(/^scm_fds:\s*(\d+)/m.exec(info)?.[1] ?? 0);
      }
      // A path that is too long has no name here, and may well be without one.
      if (name?.endsWith(' (deleted)') === false) continue;
      const found = await stat(file).catch(() => null);
      if (found?.isFile() && found.nlink === 0) files.set(`${found.dev}:${found.ino}`, found.blocks * 512);
    }
    for (const { range, inode, bytes } of unnamedMaps(pid)) {
      // Only root may look at it; else what is mapped of it is what we know of it.
      const found = await stat(`/proc/${pid}/map_files/${range}`).catch(() => null);
      const key = found ? `${found.dev}:${found.ino}` : inode;
      files.set(key, Math.max(files.get(key) ?? 0, found ? found.blocks * 512 : bytes));
    }
    // But not of very many processes with very many open files.
    await setImmediate();
  }
  return { bytes: [...files.values()].reduce((total, bytes) => total + bytes, 0), inFlight };
}

/** Memory is mapped in the same way, with a name in /dev or none. */
function unnamedMaps(pid: number): { range: string; inode: string; bytes: number }[] {
  const maps = attempt(() => readFileSync(`/proc/${pid}/maps`, 'latin1')) ?? '';
  const pattern = /^(\w+)-(\w+) \S+ (\w+) (\S+ \d+) +(?!\/dev\/|\/memfd:|\/SYSV)\/.* \(deleted\)$/gm;
  return [...maps.matchAll(pattern)].map(([, from = '', to = '', offset = '', inode = '']) => ({
    range: `${from.replace(/^0+(?=\w)/, '')}-${to.replace(/^0+(?=\w)/, '')}`,
    inode,
    bytes: Number(BigInt(`0x${to}`) - BigInt(`0x${from}`) + BigInt(`0x${offset}`)),
  }));
}

/** Null where it has gone meanwhile, or cannot be told. */
function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
