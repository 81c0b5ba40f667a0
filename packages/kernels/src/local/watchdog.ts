import type { KernelLimits } from '../port.ts';
import { diskBytes, unnamedBytes } from './disk.ts';
import { Sessions } from './giving-way.ts';
import { type ProcessSample, proportionalBytes, sampleProcesses, sum, treeOf } from './processes.ts';
import type { Throttle } from './throttle.ts';

export interface Watched {
  /** The sandbox's first process. */
  pid: number;
  folders: string[];
  limits: KernelLimits;
  onExceeded(reason: 'memory' | 'processes' | 'disk' | 'lost'): void;
  /** Null where a cgroup does it. */
  throttle: Throttle | null;
  /** How long it may stand still, and when it last answered. */
  lostAfterMs: number;
  lastHeartbeat(): number | null;
  /** Whether it stands still because we want it to. */
  isHeld(): boolean;
}

const interval = 250;

/** Looks after all sandboxes of this process with one reading of /proc. */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  readonly #measuring = new Set<Watched>();
  readonly #nextDisk = new Map<Watched, number>();
  readonly #stillSince = new WeakMap<Watched, number>();
  readonly #sessions = new WeakMap<Watched, Sessions>();
  #timer: NodeJS.Timeout | null = null;

  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#sessions.set(watched, new Sessions());
    this.#timer ??= setInterval(() => this.#look(), interval);
    return () => {
      watched.throttle?.close();
      this.#watched.delete(watched);
      this.#nextDisk.delete(watched);
      if (this.#watched.size > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #look(): void {
    const samples = sampleProcesses();
    const at = performance.now() / 1000;
    for (const watched of this.#watched) {
      const tree = treeOf(watched.pid, samples);
      const { memoryBytes, processes } = watched.limits;
      this.#sessions.get(watched)?.giveWay(tree);
      watched.throttle?.see(sum(tree, 'cpuSeconds'), at);
      // At the limit the next one is refused already, and it is said why.
      if (sum(tree, 'threads') >= processes) watched.onExceeded('processes');
      else if (exceeds(tree, memoryBytes) && exceeds(treeOf(watched.pid, sampleProcesses()), memoryBytes)) {
        watched.onExceeded('memory');
      } else if (this.#isLost(watched, tree)) watched.onExceeded('lost');
      else
        void this.#measure(
          watched,
          tree.map(({ pid }) => pid),
        );
    }
  }

  #isLost(watched: Watched, tree: ProcessSample[]): boolean {
    if (watched.isHeld() || !standsStill(tree)) {
      this.#stillSince.delete(watched);
      return false;
    }
    const since = this.#stillSince.get(watched) ?? Date.now();
    this.#stillSince.set(watched, since);
    return Date.now() - Math.max(since, watched.lastHeartbeat() ?? 0) > watched.lostAfterMs;
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

/** To be asked twice: what an ending process shared is counted once more for those who are read after it. */
const exceeds = (tree: ProcessSample[], bytes: number) =>
  sum(tree, 'residentBytes') > bytes && proportionalBytes(tree) > bytes;

/** Stopped or dead, all but the sandbox's first process, which only waits. Who merely sleeps or computes is not lost. */
const standsStill = ([, ...tree]: ProcessSample[]) =>
  tree.length > 0 && tree.every(({ state }) => 'TtZX'.includes(state));
