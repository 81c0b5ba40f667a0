import { setTimeout as wait } from 'node:timers/promises';
import type { KernelMessage } from '@atoll/kernels/client';
import type { Context, Write } from '../../../../platform/context.ts';
import type { ExecutionRow, KernelSessionRow } from '../../table.ts';
import type { ExecutionTime } from '../executions/execution-time.ts';
import { type Batch, isRefused, storeBatch, withoutOutputs } from '../store-batch.ts';
import type { Watcher } from '../watcher.ts';

interface Words {
  batch: Batch[];
  /** Changes to outputs of ended executions, made by running code. */
  changed: Batch[];
  comms: KernelMessage[];
}

const retryMs = 1_000;

/**
 * Ever smaller batches for when storing can never succeed: without widget messages, changed outputs, own outputs, then all
 * outputs.
 */
function lessAndLess(given: Words): Words[] {
  const unchanged = { ...given, changed: [] };
  const unseen = { ...unchanged, batch: given.batch.map(withoutOutputs) };
  return [{ ...given, comms: [] }, unchanged, unseen, { ...unseen, comms: [] }];
}

/** A retry would fail the same way: the database refuses the content, or our own code throws. */
const isHopeless = (error: unknown) => isRefused(error) || error instanceof TypeError || error instanceof RangeError;

/** Stores the events of one kernel in the database. */
export class OutputWriter {
  readonly #ctx: Context;
  readonly #watcher: () => Watcher | null;
  /** Callbacks to run when an execution that is not stored yet is stored. */
  readonly #noted = new Map<string, (write: Write, execution: ExecutionRow) => void>();
  #publishedState: string | null = null;

  constructor(ctx: Context, watcher: () => Watcher | null) {
    this.#ctx = ctx;
    this.#watcher = watcher;
  }

  /** Registers a callback for the transaction that stores the execution. */
  with(executionId: string, noted: (write: Write, execution: ExecutionRow) => void): void {
    this.#noted.set(executionId, noted);
  }

  /** Retries while the database is away, so that no event is lost: the host keeps them meanwhile. */
  async store(session: KernelSessionRow, time: ExecutionTime, given: Words): Promise<void> {
    const attempts = [given, ...lessAndLess(given)];
    for (;;) {
      const [words = given] = attempts;
      try {
        await this.#write(session, time, words);
        for (const { row } of given.batch) this.#noted.delete(row.id);
        return;
      } catch (error) {
        const isGivenUp = isHopeless(error) && attempts.length > 1;
        const next = isGivenUp ? 'trying without a part of it' : 'trying again';
        this.#ctx.log.error({ error, session: session.id }, `Storing what a kernel said failed; ${next}`);
        if (isGivenUp) attempts.shift();
        else await wait(retryMs);
      }
    }
  }

  #write(session: KernelSessionRow, time: ExecutionTime, { batch, changed, comms }: Words): Promise<void> {
    return this.#ctx.write(async (write) => {
      storeBatch(write, session, [...batch, ...(await this.#stillShown(write, changed))]);
      for (const { row } of batch) this.#noted.get(row.id)?.(write, row);
      if (comms.length > 0) await this.#watcher()?.comms(write, session, comms);
      const { endedAt, endReason, usedMs } = session;
      if (endedAt && endReason) await time.lease?.settle(this.#ctx, write, usedMs, endReason);
      await this.#publishState(write, session);
    });
  }

  async #stillShown(write: Write, changed: Batch[]): Promise<Batch[]> {
    const watcher = this.#watcher();
    if (!watcher || changed.length === 0) return changed;
    const ids = new Set(
      await watcher.stillShown(
        write,
        changed.map(({ row }) => row.id),
      ),
    );
    return changed.filter(({ row }) => ids.has(row.id));
  }

  /** Busy is published with the executions, so publish only the other states. */
  async #publishState(write: Write, session: KernelSessionRow): Promise<void> {
    const state = session.state === 'busy' ? 'idle' : session.state;
    if (state === this.#publishedState) return;
    await this.#watcher()?.stateChanged(write, session);
    write.after(() => {
      this.#publishedState = state;
    });
  }
}
