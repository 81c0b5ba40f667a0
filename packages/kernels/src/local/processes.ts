import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessSample {
  pid: number;
  parent: number;
  session: number;
  /** As /proc has it: R, S, D, T … */
  state: string;
  threads: number;
  residentBytes: number;
  cpuSeconds: number;
  /** The part of it that was its own code's, and not the system's for it. */
  ownSeconds: number;
}

const pageBytes = 4096;
const ticksPerSecond = 100;

/** Every process of the machine; read at once, because a tree read in steps has holes. */
export function sampleProcesses(): ProcessSample[] {
  const samples: ProcessSample[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const sample = sampleOf(name);
    if (sample) samples.push(sample);
  }
  return samples;
}

export function sampleOf(pid: string): ProcessSample | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (field: number) => Number(fields[field - 3]);
    return {
      pid: Number(pid),
      parent: at(4),
      session: at(6),
      state: fields[0] ?? '',
      threads: at(20),
      residentBytes: at(24) * pageBytes,
      // With what its ended children used.
      cpuSeconds: (at(14) + at(15) + at(16) + at(17)) / ticksPerSecond,
      ownSeconds: (at(14) + at(16)) / ticksPerSecond,
    };
  } catch {
    // It ended in between.
    return null;
  }
}

/** The process and all that came from it. In a sandbox orphans go to its first process, so none is missed. */
export function treeOf(root: number, samples: ProcessSample[]): ProcessSample[] {
  const children = Map.groupBy(samples, (sample) => sample.parent);
  const tree: ProcessSample[] = samples.filter((sample) => sample.pid === root);
  for (let index = 0; index < tree.length; index++) tree.push(...(children.get(tree[index]?.pid ?? 0) ?? []));
  return tree;
}

export const sum = (tree: ProcessSample[], field: 'threads' | 'residentBytes' | 'cpuSeconds' | 'ownSeconds') =>
  tree.reduce((total, sample) => total + sample[field], 0);

/** Pages that several processes share are counted once; slow, so only asked when it matters. */
export function proportionalBytes(tree: ProcessSample[]): number {
  return tree.reduce((total, { pid, residentBytes }) => {
    try {
      const match = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'));
      // One that has just ended has nothing there, and nothing any more.
      return total + Number(match?.[1] ?? 0) * 1024;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ESRCH' ? total : total + residentBytes;
    }
  }, 0);
}
