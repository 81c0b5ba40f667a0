import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** The reserve of the machine: below it the kernel that uses most is ended, whatever its limits are. */
export interface Floor {
  memoryBytes: number;
  diskBytes: number;
}

export const usualFloor: Floor = {
  memoryBytes: Math.min(512 * 1024 ** 2, totalmem() / 20),
  diskBytes: 512 * 1024 ** 2,
};

/** The memory that is available: of the machine, and of every group of this process. Null where it is unknown. */
export function freeMemoryBytes(): number | null {
  const meminfo = read('/proc/meminfo');
  const available = Number(/^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1] ?? Number.NaN) * 1024;
  return Number.isNaN(available) ? null : Math.min(available, ...groups().map(leftIn));
}

interface Group {
  folder: string;
  limit: string;
  used: string;
  /** Files that Linux drops when it needs memory. */
  files: RegExp;
}

let known: Group[] | null = null;

/** The groups with a limit, from ours upwards; a process is not moved while it runs. */
function groups(): Group[] {
  if (known) return known;
  known = [];
  for (const line of read('/proc/self/cgroup').split('\n')) {
    const [, trees, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined || (trees !== '' && trees !== 'memory')) continue;
    const [root, limit, used, files] =
      trees === ''
        ? ['/sys/fs/cgroup', 'memory.max', 'memory.current', /^(?:in)?active_file (\d+)$/gm]
        : [
            '/sys/fs/cgroup/memory',
            'memory.limit_in_bytes',
            'memory.usage_in_bytes',
            /^total_(?:in)?active_file (\d+)$/gm,
          ];
    for (let at = path; ; at = dirname(at)) {
      const group = { folder: join(root as string, at), limit, used, files } as Group;
      // Larger numbers mean "without limit".
      if (numberIn(group.folder, group.limit) < 2 ** 60) known.push(group);
      if (at === '/') break;
    }
  }
  return known;
}

function leftIn({ folder, limit, used, files }: Group): number {
  const forgotten = [...read(join(folder, 'memory.stat')).matchAll(files)].reduce(
    (sum, [, bytes]) => sum + Number(bytes),
    0,
  );
  const left = numberIn(folder, limit) - numberIn(folder, used) + forgotten;
  return Number.isNaN(left) ? Number.POSITIVE_INFINITY : left;
}

/** The free disk space there; null where it is unknown. */
export async function freeDiskBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null);
  return found && found.bavail * found.bsize;
}

const numberIn = (folder: string, file: string) => Number.parseInt(read(join(folder, file)), 10);

/** An empty text where the file does not exist. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
