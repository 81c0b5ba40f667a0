import { randomUUID } from 'node:crypto';
import type { Kernel, KernelLimits } from '../port.ts';
import type { OpenRequest } from './types.ts';

/** A kernel that has started and is nobody's yet. */
export interface Spare {
  kernel: Kernel;
  folder: string;
  /** After its kernel has ended without having been anybody's. */
  discard(): Promise<void>;
}

export interface SpareSettings {
  kinds: string[];
  limits: KernelLimits;
}

/** How often a spare that would not start is tried again. */
const retryMs = 60_000;

/** One started kernel of each kind that is much used, so that the first cell need not wait for a start. */
export class Spares {
  readonly #settings: SpareSettings;
  readonly #start: (request: OpenRequest) => Promise<Spare>;
  readonly #ready = new Map<string, Spare>();
  readonly #starting = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(settings: SpareSettings, start: (request: OpenRequest) => Promise<Spare>) {
    this.#settings = settings;
    this.#start = start;
  }

  fill(): void {
    for (const kind of this.#settings.kinds) void this.#prepare(kind);
  }

  /** Only one with exactly these limits will do; its variables it gets late. */
  async take(request: OpenRequest): Promise<Spare | null> {
    const spare = this.#ready.get(request.kind);
    if (!spare || request.hasNetwork || !isSame(request.limits, this.#settings.limits)) return null;
    if (!spare.kernel.prepare) return null;
    this.#ready.delete(request.kind);
    void this.#prepare(request.kind);
    const isPrepared = await spare.kernel.prepare({ environment: request.environment }).catch(() => false);
    if (isPrepared) return spare;
    await spare.kernel.stop();
    await spare.discard();
    return null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#ready.values()].map(({ kernel }) => kernel.stop()));
    this.#ready.clear();
  }

  async #prepare(kind: string): Promise<void> {
    if (this.#isClosed || this.#ready.has(kind) || this.#starting.has(kind)) return;
    this.#starting.add(kind);
    const { limits } = this.#settings;
    const request = { id: randomUUID(), kind, environment: {}, limits, hasNetwork: false };
    const spare = await this.#start(request).catch(() => null);
    this.#starting.delete(kind);
    if (!spare) return this.#later(kind);
    if (this.#isClosed) return spare.kernel.stop();
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

const isSame = (one: KernelLimits, other: KernelLimits): boolean =>
  (Object.keys(one) as (keyof KernelLimits)[]).every((name) => one[name] === other[name]);
