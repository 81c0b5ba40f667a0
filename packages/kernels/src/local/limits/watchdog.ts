import type { KernelLimits } from '../../port.ts';
import type { Cgroup } from './cgroup.ts';
import { diskBytes, unnamedFiles, usedBytes } from './disk.ts';
import { Sessions } from './giving-way.ts';
import { type Floor, freeDiskBytes, freeMemoryBytes, usualFloor } from './machine.ts';
import { Order } from './order.ts';
import { type ProcessSample, ProcessTrees, proportions, sum, treeOf } from './processes.ts';
import type { Throttle } from './throttle.ts';
import { unownedMemory } from './unowned-memory.ts';

export interface Watched {
  /** The sandbox's first process. */
  pid: number;
  folders: string[];
  /** The file system that contains all of these folders and is as large as their limit. Without one they are counted. */
  volume: string | null;
  hasOwnNetwork: boolean;
  limits: KernelLimits;
  onExceeded(reason: Excess): void;
  cgroup: Pick<Cgroup, 'goLast' | 'sharesProcessors' | 'countsMemory' | 'wasOutOfMemory' | 'memoryBytes'> | null;
  /** Null where a cgroup limits it. */
  throttle: Throttle | null;
  /** The longest time it may stand still, and the time of its last answer. */
  lostAfterMs: number;
  lastHeartbeat(): number | null;
  /** Whether it stands still because we hold it. */
  isHeld(): boolean;
}

/** The exceeded limit; the last two mean that the machine has too little left and this kernel has most. */
export type Excess = 'memory' | 'processes' | 'disk' | 'lost' | 'machineMemory' | 'machineDisk';

const interval = 250;
/** It may take this long until the resources of an ended kernel are free again. */
const recovery = 2000;
/** A kernel that has gained more than this many processes since the last look is looked at again soon. */
const leap = 2;
const soon = 40;
/** The interval while a computation is undecided; longer than the time for which a cgroup holds it. */
const undecided = 110;
/** How often the disk of a resting kernel is measured: at the first looks, then at every twentieth. */
const looksAfterUse = 4;
const looksAtRest = 20;

/** Bytes per second. Reserving space without writing is faster, so the disk is measured all the same. */
const fastestWrite = 4e9;
const longestUnmeasured = 1000;

/** Watches all sandboxes of this process with one reading of /proc. */
export class Watchdog {
  readonly #watched = new Set<Watched>();
  readonly #measuring = new Set<Watched>();
  readonly #nextDisk = new Map<Watched, number>();
  readonly #stillSince = new WeakMap<Watched, number>();
  readonly #sessions = new WeakMap<Watched, Sessions>();
  readonly #trees = new ProcessTrees(() => [...this.#watched].map(({ pid }) => pid));
  readonly #order: Order;
  readonly #counts = new WeakMap<Watched, number>();
  readonly #used = new WeakMap<Watched, { used: number; looks: number }>();
  /** The shared memory of its processes when it was last measured. */
  readonly #sharedBytes = new WeakMap<Watched, number>();
  readonly #inFlight = new WeakMap<Watched, number>();
  readonly #floor: Floor;
  readonly #free: { memory(): number | null; disk(): Promise<number | null> };
  #recoversUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor({
    order = new Order(),
    floor = usualFloor,
    runFolder = '/',
    free = { memory: freeMemoryBytes, disk: () => freeDiskBytes(runFolder) },
  }: {
    order?: Order;
    floor?: Floor;
    runFolder?: string;
    free?: { memory(): number | null; disk(): Promise<number | null> };
  } = {}) {
    this.#order = order;
    this.#floor = floor;
    this.#free = free;
  }

  watch(watched: Watched): () => void {
    this.#watched.add(watched);
    this.#trees.forget();
    if (!watched.cgroup?.sharesProcessors) this.#sessions.set(watched, new Sessions());
    this.#timer ??= setTimeout(() => this.#look(), interval);
    return () => {
      watched.throttle?.close();
      this.#watched.delete(watched);
      this.#nextDisk.delete(watched);
      if (this.#watched.size > 0 || !this.#timer) return;
      clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  #look(): void {
    const samples = this.#trees.sample();
    const at = performance.now() / 1000;
    let next = interval;
    const trees = [...this.#watched].map((watched) => [watched, treeOf(watched.pid, samples)] as const);
    this.#rank(trees, at);
    void this.#keepFloor(new Map(trees));
    if (this.#order.isUndecided) next = undecided;
    for (const [watched, tree] of trees) {
      const { processes } = watched.limits;
      watched.throttle?.see(sum(tree, 'cpuSeconds'), at);
      // At the limit Linux refuses the next process already, so the kernel ends with this reason.
      if (sum(tree, 'threads') >= processes) {
        this.#goLast(watched, tree);
        watched.onExceeded('processes');
      }
      // A fork bomb soon reaches that limit; measuring its processes' shared memory would block everyone until then.
      else if (this.#leaps(watched, tree.length)) {
        next = soon;
        if (watched.cgroup?.sharesProcessors) this.#order.last(watched.cgroup);
      }
      // Measured twice: memory shared by an ending process is counted again for the processes read after it.
      else if (watched.cgroup?.wasOutOfMemory()) watched.onExceeded('memory');
      else if (this.#needsMore(watched, tree) && this.#needsMore(watched, treeOf(watched.pid, this.#trees.sample()))) {
        watched.onExceeded('memory');
      } else if (this.#isLost(watched, tree)) watched.onExceeded('lost');
      else if (this.#mayHaveWritten(watched, tree)) {
        void this.#measure(watched, tree);
      }
    }
    if (this.#watched.size > 0) this.#timer = setTimeout(() => this.#look(), next);
  }

  /** Sets the priorities. */
  #rank(trees: (readonly [Watched, ProcessSample[]])[], at: number): void {
    for (const [watched, tree] of trees) this.#sessions.get(watched)?.giveWay(tree);
    const used = trees.flatMap(([{ cgroup }, tree]) =>
      cgroup?.sharesProcessors
        ? [[cgroup, { all: sum(tree, 'cpuSeconds'), own: sum(tree, 'ownSeconds') }] as const]
        : [],
    );
    this.#order.see(new Map(used), at);
  }

  #goLast(watched: Watched, tree: ProcessSample[]): void {
    if (watched.cgroup?.sharesProcessors) this.#order.lastForGood(watched.cgroup);
    else this.#sessions.get(watched)?.goLast(tree);
  }

  #leaps(watched: Watched, count: number): boolean {
    const last = this.#counts.get(watched) ?? count;
    this.#counts.set(watched, count);
    return count > last + leap;
  }

  /** Measures shared memory only when it matters, because that takes a millisecond for each process. */
  #needsMore(watched: Watched, tree: ProcessSample[]): boolean {
    const { memoryBytes } = watched.limits;
    const residentBytes = sum(tree, 'residentBytes');
    const unowned = watched.cgroup?.countsMemory
      ? { socketBytes: 0, sharedBytes: 0 }
      : unownedMemory(watched.pid, watched.hasOwnNetwork);
    const most = residentBytes + unowned.socketBytes + unowned.sharedBytes;
    if (most - (this.#sharedBytes.get(watched) ?? 0) <= memoryBytes) return false;
    const { bytes, sharedBytes } = proportions(tree);
    // Mapped parts of /dev/shm have been counted with the processes.
    const ownBytes = bytes + unowned.socketBytes + Math.max(0, unowned.sharedBytes - sharedBytes);
    this.#sharedBytes.set(watched, Math.max(0, most - ownBytes));
    return ownBytes > memoryBytes;
  }

  /** Ends one at a time, the largest first, because its resources may be enough for all others. */
  async #keepFloor(trees: Map<Watched, ProcessSample[]>): Promise<void> {
    if (performance.now() < this.#recoversUntil) return;
    const memory = this.#free.memory();
    if (memory !== null && memory < this.#floor.memoryBytes) {
      const of = (watched: Watched) =>
        watched.cgroup?.countsMemory
          ? watched.cgroup.memoryBytes()
          : sum(trees.get(watched) ?? [], 'residentBytes') +
            unownedMemory(watched.pid, watched.hasOwnNetwork).socketBytes;
      return this.#endLargest(of, 'machineMemory');
    }
    const disk = await this.#free.disk();
    if (disk === null || disk >= this.#floor.diskBytes || performance.now() < this.#recoversUntil) return;
    this.#recoversUntil = performance.now() + recovery;
    // A kernel that wrote a moment ago may not have been measured since.
    const measured = await Promise.all(
      [...trees].map(async ([watched, tree]) => [watched, await this.#bytesOf(watched, tree)] as const),
    );
    const bytes = new Map(measured);
    this.#endLargest((watched) => bytes.get(watched) ?? 0, 'machineDisk');
  }

  #endLargest(of: (watched: Watched) => number, reason: Excess): void {
    this.#recoversUntil = performance.now() + recovery;
    const [largest] = [...this.#watched]
      .map((watched) => ({ watched, bytes: of(watched) }))
      .sort((a, b) => b.bytes - a.bytes);
    largest?.watched.onExceeded(reason);
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

  /** A kernel without processor use has written nothing; a little use is counted late, so look a few more times. */
  #mayHaveWritten(watched: Watched, tree: ProcessSample[]): boolean {
    const used = sum(tree, 'cpuSeconds');
    const last = this.#used.get(watched);
    const looks = last?.used === used ? last.looks + 1 : 0;
    this.#used.set(watched, { used, looks });
    return looks < looksAfterUse || looks % looksAtRest === 0;
  }

  async #measure(watched: Watched, tree: ProcessSample[]): Promise<void> {
    if (this.#measuring.has(watched) || performance.now() < (this.#nextDisk.get(watched) ?? 0)) return;
    this.#measuring.add(watched);
    const begin = performance.now();
    const { folderBytes } = watched.limits;
    const bytes = await this.#bytesOf(watched, tree);
    this.#measuring.delete(watched);
    if (!this.#watched.has(watched)) return;
    const now = performance.now();
    const soonestFull = (1000 * (folderBytes - bytes)) / fastestWrite;
    // A folder with very many files is measured less often, and so is one that cannot be full yet.
    this.#nextDisk.set(watched, now + Math.max(10 * (now - begin), Math.min(soonestFull, longestUnmeasured)));
    if (bytes > folderBytes && !watched.volume) watched.onExceeded('disk');
  }

  /** A descriptor that stays unreceived look after look counts as the largest possible file. */
  async #bytesOf(watched: Watched, tree: ProcessSample[]): Promise<number> {
    if (watched.volume !== null) return (await usedBytes(watched.volume)) ?? 0;
    const { folderBytes, fileBytes } = watched.limits;
    const { bytes, inFlight } = await unnamedFiles(tree.map(({ pid }) => pid));
    const stays = Math.min(inFlight, this.#inFlight.get(watched) ?? 0);
    this.#inFlight.set(watched, inFlight);
    return (await diskBytes(watched.folders, folderBytes)) + bytes + stays * fileBytes;
  }
}

/** All are stopped or dead except the sandbox's first process, which only waits. Sleeping or computing is not lost. */
const standsStill = ([, ...tree]: ProcessSample[]) =>
  tree.length > 0 && tree.every(({ state }) => 'TtZX'.includes(state));
