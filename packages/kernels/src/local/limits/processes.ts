import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessSample {
  pid: number;
  parent: number;
  session: number;
  /** The state in /proc: R, S, D, T … */
  state: string;
  threads: number;
  residentBytes: number;
  cpuSeconds: number;
  /** The part of its own code, without the system's work for it. */
  ownSeconds: number;
}

const pageBytes = 4096;
const ticksPerSecond = 100;

/** Every process of the machine, or the given ones; read at once, because a tree read in steps has holes. */
export function sampleProcesses(names = processNames()): ProcessSample[] {
  return names.flatMap((name) => sampleOf(name) ?? []);
}

const processNames = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/**
 * Reads the same trees again and again. A machine has many processes outside of them, and reading them all takes longer
 * than the rest of each look. A process from elsewhere never joins a tree. Linux reuses a number only after all others, so
 * within one look's time a known process's number is not reused.
 */
export class ProcessTrees {
  readonly #roots: () => number[];
  #strangers = new Set<string>();

  constructor(roots: () => number[]) {
    this.#roots = roots;
  }

  /** Call it for a new tree, because its first processes were strangers until now. */
  forget(): void {
    this.#strangers.clear();
  }

  sample(): ProcessSample[] {
    const names = processNames();
    const samples = sampleProcesses(names.filter((name) => !this.#strangers.has(name)));
    const parents = new Map(samples.map(({ pid, parent }) => [pid, parent]));
    const roots = new Set(this.#roots());
    const isStranger = (pid: number): boolean => {
      if (roots.has(pid)) return false;
      if (pid === 0 || this.#strangers.has(String(pid))) return true;
      const parent = parents.get(pid);
      // The parent ended while the processes were read: the next look finds this one's place.
      return parent !== undefined && isStranger(parent);
    };
    this.#strangers = new Set(names.filter((name) => isStranger(Number(name))));
    return samples;
  }
}

export function sampleOf(pid: string): ProcessSample | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (field: number) => Number(fields[field - 3]);
    return {
      pid: Number(pid),
      parent: at(4),
      session: at(6),
      state: fields[0] ?? '',
      threads: at(20),
      residentBytes: at(24) * pageBytes,
      // Includes the use of its ended children.
      cpuSeconds: (at(14) + at(15) + at(16) + at(17)) / ticksPerSecond,
      ownSeconds: (at(14) + at(16)) / ticksPerSecond,
    };
  } catch {
    // The process ended in between.
    return null;
  }
}

/** The process and all its descendants. In a sandbox orphans move to its first process, so the tree is complete. */
export function treeOf(root: number, samples: ProcessSample[]): ProcessSample[] {
  const children = Map.groupBy(samples, (sample) => sample.parent);
  const tree: ProcessSample[] = samples.filter((sample) => sample.pid === root);
  for (let index = 0; index < tree.length; index++) tree.push(...(children.get(tree[index]?.pid ?? 0) ?? []));
  return tree;
}

export const sum = (tree: ProcessSample[], field: 'threads' | 'residentBytes' | 'cpuSeconds' | 'ownSeconds') =>
  tree.reduce((total, sample) => total + sample[field], 0);

/** The memory of the tree, with shared pages counted once; it is slow, so use it only when it matters. */
export function proportionalBytes(tree: ProcessSample[]): number {
  return proportions(tree).bytes;
}

/** The same, and the part of it that was created as shared memory. */
export function proportions(tree: ProcessSample[]): { bytes: number; sharedBytes: number } {
  const total = { bytes: 0, sharedBytes: 0 };
  for (const { pid, residentBytes } of tree) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
      // A process that has just ended uses no memory.
      total.bytes += kilobytes(/^Pss:\s+(\d+) kB/m, text);
      total.sharedBytes += kilobytes(/^Pss_Shmem:\s+(\d+) kB/m, text);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ESRCH') total.bytes += residentBytes;
    }
  }
  return total;
}

const kilobytes = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1] ?? 0) * 1024;
