import { randomUUID } from 'node:crypto';
import type { HostEvent } from '@atoll/kernels/client';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type KernelSessionRow, kernelSessions } from '../../table.ts';
import { Lease, type TimeLimit } from '../lease.ts';

/** The execution time of one session: what it has used, and what it has on loan. */
export class ExecutionTime {
  /** Null while it needs none. */
  lease: Lease | null;
  readonly #ctx: Context;
  readonly #row: KernelSessionRow;
  #leasing: Promise<Lease> | null = null;
  /** When what runs began, by our clock. */
  #busySince: number | null = null;
  /** From and to, by the host's clock: what is counted already while more goes on beside it. */
  #counted: [number, number][] = [];

  constructor(ctx: Context, row: KernelSessionRow, lease: Lease | null) {
    this.#ctx = ctx;
    this.#row = row;
    this.lease = lease;
  }

  /** Up to now. */
  get usedMs(): number {
    return this.#row.usedMs + this.goingMs;
  }

  /** What is not counted yet of what runs. */
  get goingMs(): number {
    return this.#busySince === null ? 0 : performance.now() - this.#busySince;
  }

  /** Something runs; what runs beside it already began earlier. */
  begin(at = performance.now()): void {
    this.#busySince ??= at;
  }

  /** What runs beside something else takes no time of its own. */
  count({ at, milliseconds }: Extract<HostEvent, { type: 'finished' }>, isLast: boolean): void {
    let pieces: [number, number][] = [[at - milliseconds, at]];
    for (const [began, ended] of this.#counted) {
      pieces = pieces.flatMap(([from, to]): [number, number][] => [
        [from, Math.min(to, began)],
        [Math.max(from, ended), to],
      ]);
      pieces = pieces.filter(([from, to]) => from < to);
    }
    for (const [from, to] of pieces) this.#row.usedMs += to - from;
    this.#counted = isLast ? [] : [...this.#counted, ...pieces];
    this.#busySince = isLast ? null : performance.now();
  }

  limit = (elapsedMs: number, longestMs: number | null): TimeLimit | null =>
    this.lease?.limit(this.usedMs, elapsedMs, longestMs) ?? null;

  /** Asked twice at once, it is one. */
  open(): Promise<Lease> {
    this.#leasing ??= Lease.open(this.#ctx, this.#row, randomUUID(), this.usedMs)
      .then((lease) => {
        this.lease = lease;
        return lease;
      })
      .finally(() => {
        this.#leasing = null;
      });
    return this.#leasing;
  }

  /** More time, if little is left and there is more; true when the limit of what runs has changed. */
  renew = async (): Promise<boolean> => (await this.lease?.renew(this.#ctx, this.usedMs)) ?? false;

  /** Others can have it. */
  async release(): Promise<void> {
    const { lease } = this;
    if (!lease) return;
    this.lease = null;
    this.#row.leaseId = null;
    await this.#ctx.write(async (write) => {
      await lease.settle(this.#ctx, write, this.#row.usedMs, 'idle');
      await write.tx.update(kernelSessions).set({ leaseId: null }).where(eq(kernelSessions.id, this.#row.id));
    });
  }
}
