import type { ExecuteResult, HostEvent, KernelEnd } from '@atoll/kernels/client';
import { type Collected, collect, type Mask, nothingCollected, type OutputChange, sizeOfChange } from '@atoll/notebook';
import type { ExecutionRow } from '../table.ts';
import type { TimeLimit } from './lease.ts';

export interface Outcome {
  state: 'ok' | 'error' | 'aborted';
  reason: string | null;
  errorName: string | null;
}

/** One execution that goes on: its row as it will be stored next, and what it shows. */
export class Ongoing {
  readonly finished: Promise<Outcome>;
  row: ExecutionRow;
  /** Of which nothing is stored yet. */
  isNew: boolean;
  /** By our clock, and how long it may take. */
  since = performance.now();
  limit: TimeLimit | null = null;
  /** Beyond the limit nothing more is taken in. */
  isFull = false;
  #collected: Collected;
  #changes: OutputChange[] = [];
  readonly #finishing = Promise.withResolvers<Outcome>();

  constructor(row: ExecutionRow, isNew: boolean, collected: Collected = nothingCollected()) {
    this.row = row;
    this.isNew = isNew;
    this.#collected = collected;
    this.finished = this.#finishing.promise;
  }

  /** True when this message is what brings it over the limit. */
  hear(message: { type: string; content: Record<string, unknown> }, mask: Mask, limit: number): boolean {
    const { execution_count: count } = message.content;
    if (message.type === 'execute_input' && isCount(count)) this.row.executionCount = count;
    if (this.isFull) return false;
    const changes = collect(this.#collected, message, mask);
    this.#changes.push(...changes);
    for (const change of changes) this.row.outputBytes += sizeOfChange(change);
    this.row.clearsWithNext = this.#collected.clearsWithNext;
    this.isFull = this.row.outputBytes > limit;
    return this.isFull;
  }

  end(outcome: Outcome, milliseconds: number, at: Date): void {
    this.row = { ...this.row, ...outcome, milliseconds, endedAt: at };
  }

  /** What is to be stored and told since the last time. */
  take(): {
    changes: OutputChange[];
    outputs: { index: number; output: Collected['outputs'][number] }[];
    isCleared: boolean;
    isNew: boolean;
  } {
    const { isNew } = this;
    this.isNew = false;
    const changes = joined(this.#changes);
    this.#changes = [];
    const isCleared = changes.some(({ type }) => type === 'clear');
    const indexes = new Set(changes.flatMap((change) => (change.type === 'clear' ? [] : change.index)));
    const outputs = [...indexes].flatMap((index) => {
      const output = this.#collected.outputs[index];
      return output ? [{ index, output }] : [];
    });
    return { changes, outputs, isCleared, isNew };
  }

  get outputs(): Collected['outputs'] {
    return this.#collected.outputs;
  }

  /** After its end has been stored. */
  settle(): void {
    const { state, reason, errorName } = this.row;
    this.#finishing.resolve({ state: state as Outcome['state'], reason, errorName });
  }
}

/** Code can say anything in its kernel's name, and the database holds no larger one. */
const isCount = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;

/** What one batch says of the same output is said once; what was cleared again is not said at all. */
function joined(changes: OutputChange[]): OutputChange[] {
  const lastClear = changes.findLastIndex(({ type }) => type === 'clear');
  const result: OutputChange[] = [];
  /** Where something is said of an output already: it keeps its place, so that none comes before those above it. */
  const places = new Map<number, number>();
  for (const change of lastClear > 0 ? changes.slice(lastClear) : changes) {
    const place = change.type === 'clear' ? undefined : places.get(change.index);
    const before = place === undefined ? undefined : result[place];
    const now = before ? together(before, change) : null;
    if (place !== undefined && now) result[place] = now;
    else {
      if (change.type !== 'clear') places.set(change.index, result.length);
      result.push(change.type === 'set' ? { ...change, output: { ...change.output } } : change);
    }
  }
  return result;
}

/** Null where neither takes in the other. */
function together(before: OutputChange, change: OutputChange): OutputChange | null {
  // A progress bar is another one a thousand times a second.
  if (change.type === 'set') return { ...change, output: { ...change.output } };
  if (change.type === 'clear' || before.type === 'clear') return null;
  if (before.type === 'append') return { ...before, text: before.text + change.text };
  const { output } = before;
  if (output.output_type !== 'stream') return null;
  return { ...before, output: { ...output, text: output.text + change.text } };
}

/** Ends of ours that nobody asked for. */
const failures = new Set(['lost', 'output']);
const ours = new Set<KernelEnd['reason']>(['stopped', 'restarted']);

/** How an execution ended, in the words of the product. */
export function outcomeOf(
  event: Extract<HostEvent, { type: 'finished' }>,
  stop: { reason: string; message: string } | null,
  /** Which limit of time there was. */
  tooLong: string,
): Outcome {
  const { result, overrun } = event;
  const errorName = result.error?.name ?? null;
  if (stop && result.status !== 'ok') {
    return { state: failures.has(stop.reason) ? 'error' : 'aborted', reason: stop.message, errorName };
  }
  if (overrun === 'time') return { state: 'aborted', reason: tooLong, errorName };
  return { ...plain(result), errorName };
}

function plain(result: ExecuteResult): Omit<Outcome, 'errorName'> {
  if (result.status === 'ok') return { state: 'ok', reason: null };
  if (result.status === 'aborted') return { state: 'aborted', reason: 'An earlier one failed.' };
  if (result.status === 'error') {
    const { name = 'Error', value = '' } = result.error ?? {};
    if (name === 'KeyboardInterrupt') return { state: 'aborted', reason: 'It was interrupted.' };
    return { state: 'error', reason: value ? `${name}: ${value}` : name };
  }
  const end = result.end;
  return { state: end && ours.has(end.reason) ? 'aborted' : 'error', reason: end?.message ?? 'The kernel is gone.' };
}
