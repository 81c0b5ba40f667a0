import { setTimeout as wait } from 'node:timers/promises';
import type { KernelMessage } from '@atoll/kernels/client';
import type { Context, Write } from '../../../../platform/context.ts';
import type { ExecutionRow, KernelSessionRow } from '../../table.ts';
import type { ExecutionTime } from '../executions/execution-time.ts';
import { type Batch, isRefused, storeBatch, withoutOutputs } from '../store-batch.ts';
import type { Watcher } from '../watcher.ts';

interface Words {
  batch: Batch[];
  /** Of what has ended, changed by what runs now. */
  changed: Batch[];
  comms: KernelMessage[];
}

const retryMs = 1_000;

/** What is left out when storing can never succeed: the widgets' words, what others show, what these show, then all of it. */
function lessAndLess(given: Words): Words[] {
  const unchanged = { ...given, changed: [] };
  const unseen = { ...unchanged, batch: given.batch.map(withoutOutputs) };
  return [{ ...given, comms: [] }, unchanged, unseen, { ...unseen, comms: [] }];
}

/** It would fail in the same way again: what the database refuses for its content, and what our own code stumbles over. */
const isHopeless = (error: unknown) => isRefused(error) || error instanceof TypeError || error instanceof RangeError;

/** Brings into the database what was taken in from one kernel. */
export class OutputWriter {
  readonly #ctx: Context;
  readonly #watcher: () => Watcher | null;
  /** Who wants to store something with an execution that is not stored yet. */
  readonly #noted = new Map<string, (write: Write, execution: ExecutionRow) => void>();
  #publishedState: string | null = null;

  constructor(ctx: Context, watcher: () => Watcher | null) {
    this.#ctx = ctx;
    this.#watcher = watcher;
  }

  /** In the transaction in which the execution is stored. */
  with(executionId: string, noted: (write: Write, execution: ExecutionRow) => void): void {
    this.#noted.set(executionId, noted);
  }

  /** A database that is away for a moment must not lose anything: the host keeps it meanwhile. */
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

  /** Busy or not is told with what runs. */
  async #publishState(write: Write, session: KernelSessionRow): Promise<void> {
    const state = session.state === 'busy' ? 'idle' : session.state;
    if (state === this.#publishedState) return;
    await this.#watcher()?.stateChanged(write, session);
    write.after(() => {
      this.#publishedState = state;
    });
  }
}
