import { randomUUID } from 'node:crypto';
import type { KernelPackages } from '../packages/kernel-packages.ts';
import type { Kernel, KernelLimits } from '../port.ts';
import type { OpenRequest } from './types.ts';

/** A started kernel that has no owner yet. */
export interface Spare {
  kernel: Kernel;
  folder: string;
  packages: KernelPackages | null;
  /** Call it after its kernel has ended without an owner. */
  discard(): Promise<void>;
}

/** The pause before a spare that did not start is tried again. */
const retryMs = 60_000;

/** Keeps one started kernel of each frequent kind, so that the first cell need not wait for a start. */
export class Spares {
  readonly #limits: KernelLimits;
  readonly #start: (request: OpenRequest) => Promise<Spare>;
  #kinds = new Set<string>();
  readonly #ready = new Map<string, Spare>();
  readonly #starting = new Map<string, string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(limits: KernelLimits, start: (request: OpenRequest) => Promise<Spare>) {
    this.#limits = limits;
    this.#start = start;
  }

  /** Keeps spares of exactly these kinds from now on. */
  keep(kinds: string[]): void {
    this.#kinds = new Set(kinds);
    // A spare that is still starting was started for the old list.
    for (const kind of this.#starting.keys()) if (!this.#kinds.has(kind)) this.#starting.delete(kind);
    for (const [kind, spare] of this.#ready) {
      if (this.#kinds.has(kind)) continue;
      this.#ready.delete(kind);
      void end(spare);
    }
    for (const kind of kinds) void this.#prepare(kind);
  }

  /** Takes a spare with exactly these limits; it gets its environment later. */
  async take(request: OpenRequest): Promise<Spare | null> {
    const spare = this.#ready.get(request.kind);
    if (!spare || request.hasNetwork || !isSame(request.limits, this.#limits)) return null;
    if (!spare.kernel.prepare) return null;
    this.#ready.delete(request.kind);
    void this.#prepare(request.kind);
    const isPrepared = await spare.kernel.prepare({ environment: request.environment }).catch(() => false);
    if (isPrepared) return spare;
    await end(spare);
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#ready.values()].map(end));
    this.#ready.clear();
  }

  async #prepare(kind: string): Promise<void> {
    if (this.#isClosed || !this.#kinds.has(kind) || this.#ready.has(kind) || this.#starting.has(kind)) return;
    const id = randomUUID();
    this.#starting.set(kind, id);
    const limits = this.#limits;
    const request = { id, kind, environment: {}, limits, hasNetwork: false };
    const spare = await this.#start(request).catch(() => null);
    const isWanted = this.#starting.get(kind) === id;
    if (isWanted) this.#starting.delete(kind);
    if (!spare) return isWanted ? this.#later(kind) : undefined;
    if (this.#isClosed || !isWanted || !this.#kinds.has(kind)) return end(spare);
    this.#ready.set(kind, spare);
    void spare.kernel.ended.then(() => {
      if (this.#ready.get(kind) !== spare) return;
      this.#ready.delete(kind);
      void spare.discard();
      this.#later(kind);
    });
  }

  #later(kind: string): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#prepare(kind);
    }, retryMs);
    timer.unref();
    this.#timers.add(timer);
  }
}

async function end(spare: Spare): Promise<void> {
  await spare.kernel.stop();
  await spare.discard();
}

const isSame = (one: KernelLimits, other: KernelLimits): boolean =>
  (Object.keys(one) as (keyof KernelLimits)[]).every((name) => one[name] === other[name]);
