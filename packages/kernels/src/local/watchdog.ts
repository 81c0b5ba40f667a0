import type { KernelLimits } from '../port.ts';
import { diskBytes, unnamedBytes } from './disk.ts';
import { proportionalBytes, sampleProcesses, sum, treeOf } from './processes.ts';

export interface Watched {
  /** The sandbox's first process. */
  pid: number;
  folders: string[];
  limits: KernelLimits;
  onExceeded(reason: 'memory' | 'processes' | 'disk'): void;
}

const interval = 250;

/** Looks after all sandboxes of this process with one reading of /proc. */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  readonly #measuring = new Set<Watched>();
  readonly #nextDisk = new Map<Watched, number>();
  #timer: NodeJS.Timeout | null = null;

  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), interval);
    return () => {
      this.#watched.delete(watched);
      this.#nextDisk.delete(watched);
      if (this.#watched.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #look(): void {
    const samples = sampleProcesses();
    for (const watched of this.#watched) {
      const tree = treeOf(watched.pid, samples);
      const { memoryBytes, processes } = watched.limits;
      // At the limit the next one is refused already, and it is said why.
      if (sum(tree, 'threads') >= processes) watched.onExceeded('processes');
      else if (sum(tree, 'residentBytes') > memoryBytes && proportionalBytes(tree) > memoryBytes) {
        watched.onExceeded('memory');
      } else
        void this.#measure(
          watched,
          tree.map(({ pid }) => pid),
        );
    }
  }

  async #measure(watched: Watched, pids: number[]): Promise<void> {
    if (this.#measuring.has(watched) || performance.now() < (this.#nextDisk.get(watched) ?? 0)) return;
    this.#measuring.add(watched);
    const begin = performance.now();
    const { folderBytes } = watched.limits;
    const bytes = (await diskBytes(watched.folders, folderBytes)) + (await unnamedBytes(pids));
    this.#measuring.delete(watched);
    if (!this.#watched.has(watched)) return;
    // A folder with very many files is looked at less often.
    this.#nextDisk.set(watched, performance.now() + 10 * (performance.now() - begin));
    if (bytes > folderBytes) watched.onExceeded('disk');
  }
}
