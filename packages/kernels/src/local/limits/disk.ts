import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, opendir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** The used bytes of a file system; null where they are unknown. */
export async function usedBytes(mount: string): Promise<number | null> {
  const found = await statfs(mount).catch(() => null);
  return found && (found.blocks - found.bfree) * found.bsize;
}

/** The disk space of the folders. Links are not followed, because users create them and they lead anywhere. */
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
      // The file was deleted while it was read.
    }
  }
  return total;
}

export interface Unnamed {
  bytes: number;
  /** The number of descriptors that were sent and not received yet; their files are not visible. */
  inFlight: number;
}

/** Files that are open or mapped and have no name any more, so that no folder shows them. */
export async function unnamedFiles(pids: number[]): Promise<Unnamed> {
  const files = new Map<string, number>();
  let inFlight = 0;
  for (const pid of pids) {
    // Read synchronously, which is five times as fast: Linux knows the names without reading a disk.
    for (const descriptor of attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []) {
      const file = `/proc/${pid}/fd/${descriptor}`;
      const name = attempt(() => readlinkSync(file));
      if (name?.startsWith('socket:')) {
        const info = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? '';
        inFlight += Number(/^scm_fds:\s*(\d+)/m.exec(info)?.[1] ?? 0);
      }
      // A path that is too long has no name here, and its file may have none.
      if (name?.endsWith(' (deleted)') === false) continue;
      const found = await stat(file).catch(() => null);
      if (found?.isFile() && found.nlink === 0) files.set(`${found.dev}:${found.ino}`, found.blocks * 512);
    }
    for (const { range, inode, bytes } of unnamedMaps(pid)) {
      // Only root may read it; for others, the mapped part is the known size.
      const found = await stat(`/proc/${pid}/map_files/${range}`).catch(() => null);
      const key = found ? `${found.dev}:${found.ino}` : inode;
      files.set(key, Math.max(files.get(key) ?? 0, found ? found.blocks * 512 : bytes));
    }
    // Yield between processes, because there can be very many with very many open files.
    await setImmediate();
  }
  return { bytes: [...files.values()].reduce((total, bytes) => total + bytes, 0), inFlight };
}

/** Mappings without a file: memory is mapped in the same way, with a name in /dev or none. */
function unnamedMaps(pid: number): { range: string; inode: string; bytes: number }[] {
  const maps = attempt(() => readFileSync(`/proc/${pid}/maps`, 'latin1')) ?? '';
  const pattern = /^(\w+)-(\w+) \S+ (\w+) (\S+ \d+) +(?!\/dev\/|\/memfd:|\/SYSV)\/.* \(deleted\)$/gm;
  return [...maps.matchAll(pattern)].map(([, from = '', to = '', offset = '', inode = '']) => ({
    range: `${from.replace(/^0+(?=\w)/, '')}-${to.replace(/^0+(?=\w)/, '')}`,
    inode,
    bytes: Number(BigInt(`0x${to}`) - BigInt(`0x${from}`) + BigInt(`0x${offset}`)),
  }));
}

/** Null where the file is gone or cannot be read. */
function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
