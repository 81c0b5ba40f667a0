import type { HostEvent, KernelMessage } from '@atoll/kernels/client';
import { type Mask, sizeOfChange } from '@atoll/notebook';
import { Displays } from '../outputs/displays.ts';
import { outcomeOf, type RunningExecution } from '../running-execution.ts';
import { type Batch, storable } from '../store-batch.ts';

export interface ExecutionRegistryOptions {
  mask: Mask;
  /** The largest output of one execution. */
  outputLimit: number;
  /** The largest output of all executions together; null is without limit. */
  sessionLimit: number | null;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;

/** The executions of one kernel that are running or whose end is not stored yet. */
export class ExecutionRegistry {
  readonly #options: ExecutionRegistryOptions;
  readonly #ongoing = new Map<string, RunningExecution>();
  readonly displays = new Displays();
  /** Changes to outputs of ended executions, made by running code. */
  #changed: Batch[] = [];
  #shownBytes = 0;

  constructor(options: ExecutionRegistryOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#ongoing.size === 0;
  }

  get ids(): string[] {
    return [...this.#ongoing.keys()];
  }

  get unfinished(): RunningExecution[] {
    return [...this.#ongoing.values()].filter(({ row }) => row.endedAt === null);
  }

  add = (ongoing: RunningExecution) => void this.#ongoing.set(ongoing.row.id, ongoing);
  has = (id: string): boolean => this.#ongoing.has(id);
  get = (id: string): RunningExecution | undefined => this.#ongoing.get(id);
  delete = (id: string): boolean => this.#ongoing.delete(id);

  find(batchId: string, cell: string): RunningExecution | undefined {
    return [...this.#ongoing.values()].find(({ row }) => row.batchId === batchId && row.cell === cell);
  }

  /** Returns whether this message brought the execution over a limit, so that the kernel can drop its further output. */
  hear(message: KernelMessage): boolean {
    const ongoing = message.executionId ? this.#ongoing.get(message.executionId) : undefined;
    if (!ongoing) return false;
    const { mask, outputLimit, sessionLimit } = this.#options;
    const before = ongoing.row.outputBytes;
    const changed = this.displays.take(message, mask);
    this.#changed.push(...changed);
    for (const change of changed[0]?.changes ?? []) ongoing.row.outputBytes += sizeOfChange(change);
    const isOver = ongoing.hear(message, mask, outputLimit);
    this.#shownBytes += ongoing.row.outputBytes - before;
    if (isOver) ongoing.leaveOutRest(`It showed more than ${megabytes(outputLimit)}. The rest was left out.`);
    const isRunOver = sessionLimit !== null && this.#shownBytes > sessionLimit;
    if (isRunOver) {
      const all = megabytes(sessionLimit);
      ongoing.leaveOutRest(`The cells of this run showed more than ${all} together. The rest was left out.`);
    }
    return isOver || isRunOver;
  }

  /** Returns whether the event belongs to one of these executions. */
  finish(event: Extract<HostEvent, { type: 'finished' }>, stop: { reason: string; message: string } | null): boolean {
    const ongoing = this.#ongoing.get(event.executionId);
    if (!ongoing) return false;
    const tooLong = ongoing.limit?.message ?? 'It took longer than it may.';
    const { state, reason, errorName } = outcomeOf(event, stop, tooLong);
    const shown = (text: string | null) => (text === null ? null : storable(this.#options.mask(text)));
    const outcome = { state, reason: shown(reason), errorName: shown(errorName) };
    ongoing.end(outcome, event.milliseconds, new Date(event.at));
    this.displays.remember(ongoing.row, ongoing.outputs);
    return true;
  }

  /** Aborts executions that the kernel never received. */
  end(reason: string, at: Date): void {
    for (const ongoing of this.unfinished) ongoing.end({ state: 'aborted', reason, errorName: null }, 0, at);
  }

  /** Takes the changes to store and publish since the last call; delete and settle the finished executions after that. */
  take(): { batch: Batch[]; changed: Batch[]; finished: RunningExecution[] } {
    const all = [...this.#ongoing.values()];
    return {
      batch: all.map((ongoing) => ({ row: { ...ongoing.row }, ...ongoing.take() })),
      changed: this.#changed.splice(0),
      finished: all.filter(({ row }) => row.endedAt !== null),
    };
  }
}
