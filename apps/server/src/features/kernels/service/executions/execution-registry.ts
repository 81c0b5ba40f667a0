import type { HostEvent, KernelMessage } from '@atoll/kernels/client';
import { type Mask, sizeOfChange } from '@atoll/notebook';
import { Displays } from '../outputs/displays.ts';
import { outcomeOf, type RunningExecution } from '../running-execution.ts';
import { type Batch, storable } from '../store-batch.ts';

export interface ExecutionRegistryOptions {
  mask: Mask;
  /** How much one execution may show. */
  outputLimit: number;
  /** And all of them together; null is without limit. */
  sessionLimit: number | null;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;

/** The executions of one kernel that go on or whose end is not stored yet. */
export class ExecutionRegistry {
  readonly #options: ExecutionRegistryOptions;
  readonly #ongoing = new Map<string, RunningExecution>();
  readonly displays = new Displays();
  /** Of what has ended, changed by what runs now. */
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

  /** Whether this message has brought it over a limit: the rest need not be told. */
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

  /** Whether it was one of these. */
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

  /** What the kernel never got ends with it. */
  end(reason: string, at: Date): void {
    for (const ongoing of this.unfinished) ongoing.end({ state: 'aborted', reason, errorName: null }, 0, at);
  }

  /** What is to be stored and told since the last time; the finished ones have to be deleted and settled after that. */
  take(): { batch: Batch[]; changed: Batch[]; finished: RunningExecution[] } {
    const all = [...this.#ongoing.values()];
    return {
      batch: all.map((ongoing) => ({ row: { ...ongoing.row }, ...ongoing.take() })),
      changed: this.#changed.splice(0),
      finished: all.filter(({ row }) => row.endedAt !== null),
    };
  }
}
