import { randomUUID } from 'node:crypto';
import type { HostEvent } from '@atoll/kernels/client';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { type KernelSessionRow, kernelSessions } from '../../table.ts';
import { Lease, type TimeLimit } from '../lease.ts';

/** The execution time of one session: used time and reserved time. */
export class ExecutionTime {
  /** Null while the session needs no lease. */
  lease: Lease | null;
  readonly #ctx: Context;
  readonly #row: KernelSessionRow;
  #leasing: Promise<Lease> | null = null;
  /** The start of the current busy period, by our clock. */
  #busySince: number | null = null;
  /** From and to, by the host's clock: counted periods that running executions may overlap. */
  #counted: [number, number][] = [];

  constructor(ctx: Context, row: KernelSessionRow, lease: Lease | null) {
    this.#ctx = ctx;
    this.#row = row;
    this.lease = lease;
  }

  /** Includes the current busy period. */
  get usedMs(): number {
    return this.#row.usedMs + this.goingMs;
  }

  /** The part of the current busy period that is not counted yet. */
  get goingMs(): number {
    return this.#busySince === null ? 0 : performance.now() - this.#busySince;
  }

  /** Begins a busy period, unless other executions have begun one earlier. */
  begin(at = performance.now()): void {
    this.#busySince ??= at;
  }

  /** Counts an execution; the part that runs beside another one takes no time of its own. */
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

  /** Two calls at once open one lease. */
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

  /** Reserves more time if little is left and there is more; true when the limit of the running executions has changed. */
  renew = async (): Promise<boolean> => (await this.lease?.renew(this.#ctx, this.usedMs)) ?? false;

  /** Releases the reserved time for others. */
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
