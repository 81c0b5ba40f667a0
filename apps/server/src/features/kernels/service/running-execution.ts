import type { ExecuteResult, HostEvent, KernelEnd } from '@atoll/kernels/client';
import { type Collected, collect, type Mask, nothingCollected, type OutputChange, sizeOfChange } from '@atoll/notebook';
import type { ExecutionRow } from '../table.ts';
import type { TimeLimit } from './lease.ts';

export interface Outcome {
  state: 'ok' | 'error' | 'aborted';
  reason: string | null;
  errorName: string | null;
}

/** A running execution: its row as it will be stored next, and its outputs. */
export class RunningExecution {
  readonly finished: Promise<Outcome>;
  row: ExecutionRow;
  /** Nothing of it is stored yet. */
  isNew: boolean;
  /** Its start by our clock, and its time limit. */
  since = performance.now();
  limit: TimeLimit | null = null;
  /** The note about the exceeded limit; from then on only errors are collected. */
  #fullNote: string | null = null;
  #collected: Collected;
  #changes: OutputChange[] = [];
  readonly #finishing = Promise.withResolvers<Outcome>();

  constructor(row: ExecutionRow, isNew: boolean, collected: Collected = nothingCollected()) {
    this.row = row;
    this.isNew = isNew;
    this.#collected = collected;
    this.finished = this.#finishing.promise;
  }

  /** True when this message brings it over the limit. */
  hear(message: { type: string; content: Record<string, unknown> }, mask: Mask, limit: number): boolean {
    const { execution_count: count } = message.content;
    if (message.type === 'execute_input' && isCount(count)) this.row.executionCount = count;
    if (this.#fullNote !== null && !isShortError(message)) return false;
    const changes = collect(this.#collected, message, mask);
    this.#changes.push(...changes);
    for (const change of changes) this.row.outputBytes += sizeOfChange(change);
    this.row.clearsWithNext = this.#collected.clearsWithNext;
    return this.#fullNote === null && this.row.outputBytes > limit;
  }

  leaveOutRest(note: string): void {
    this.#fullNote ??= note;
    this.row.reason = this.#fullNote;
  }

  end(outcome: Outcome, milliseconds: number, at: Date): void {
    const reasons = [this.#fullNote, outcome.reason].filter((reason) => reason !== null);
    const reason = reasons.length > 0 ? reasons.join(' ') : null;
    // The kernel may have ended before the request, and its end event arrived later.
    const endedAt = at < this.row.startedAt ? this.row.startedAt : at;
    this.row = { ...this.row, ...outcome, reason, milliseconds, endedAt };
  }

  /** Takes the changes to store and publish since the last call. */
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

  /** Resolves `finished`; call it after the end has been stored. */
  settle(): void {
    const { state, reason, errorName } = this.row;
    this.#finishing.resolve({ state: state as Outcome['state'], reason, errorName });
  }
}

/** An error is important, however much output came before it. */
const mostOfError = 64 * 1024;
const isShortError = ({ type, content }: { type: string; content: Record<string, unknown> }) =>
  type === 'error' && JSON.stringify(content).length <= mostOfError;

/** Code can send any value in its kernel's name, and the database holds no larger number. */
const isCount = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;

/** Merges changes per output; drops those before the last clear. */
function joined(changes: OutputChange[]): OutputChange[] {
  const lastClear = changes.findLastIndex(({ type }) => type === 'clear');
  const result: OutputChange[] = [];
  /** The place of an output's first change: later ones merge into it, so that outputs keep their order. */
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

/** Merges two changes; null where they cannot be merged. */
function together(before: OutputChange, change: OutputChange): OutputChange | null {
  // Copy the output, because a progress bar changes it a thousand times a second.
  if (change.type === 'set') return { ...change, output: { ...change.output } };
  if (change.type === 'clear' || before.type === 'clear') return null;
  if (before.type === 'append') return { ...before, text: before.text + change.text };
  const { output } = before;
  if (output.output_type !== 'stream') return null;
  return { ...before, output: { ...output, text: output.text + change.text } };
}

/** Kernel ends of ours without a request. */
const failures = new Set(['lost']);
const ours = new Set<KernelEnd['reason']>(['stopped', 'restarted']);

/** The outcome of an execution, in the words of the product. */
export function outcomeOf(
  event: Extract<HostEvent, { type: 'finished' }>,
  stop: { reason: string; message: string } | null,
  /** The message for an exceeded time limit. */
  tooLong: string,
): Outcome {
  const { result, overrun } = event;
  const errorName = result.error?.name ?? null;
  if (stop && result.status !== 'ok') {
    return { state: failures.has(stop.reason) ? 'error' : 'aborted', reason: stop.message, errorName };
  }
  if (overrun === 'output' && result.status !== 'ok') {
    return { state: 'error', reason: 'It went on and was interrupted.', errorName };
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
