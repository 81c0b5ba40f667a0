import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CellOutput } from '@atoll/contract';
import { type HostEvent, HostLost, type KernelMessage } from '@atoll/kernels/client';
import { type Collected, collect, type Mask, maskedFields, nothingCollected, sizeOfChange } from '@atoll/notebook';
import { eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { IdentifiedHost } from '../../../platform/kernels/kernels.ts';
import { type ExecutionRow, type KernelSessionRow, kernelSessions } from '../table.ts';
import { addComm, takeInComm } from './comms.ts';
import { Displays } from './displays.ts';
import { countUpTo, isEnd, isQuestion } from './heard.ts';
import { Lease } from './lease.ts';
import { Ongoing, type Outcome, outcomeOf } from './ongoing.ts';
import { type Batch, isRefused, storable, storeBatch, withoutOutputs } from './store-batch.ts';
import { WidgetOutputs } from './widget-outputs.ts';

export interface ExecuteInput {
  /** Made by the caller: asking twice runs it once. */
  id: string;
  code: string;
  batchId: string;
  cell: string | null;
  /** Where it is told how it goes on. */
  topic: string | null;
  /** What the plan lets it take. */
  longestMs: number | null;
  /** Beside what runs already, where the kernel can. */
  isParallel?: boolean;
  /** Whether somebody is there who can answer what the code asks for. */
  allowsInput?: boolean;
  /** In the transaction in which it is stored. */
  noted?(write: Write, execution: ExecutionRow): void;
}

/** Whoever has a kernel opened wants to know about it. */
export interface Watcher {
  /** It is ready, or has ended: in the transaction in which that is stored. */
  stateChanged(write: Write, row: KernelSessionRow): Promise<void>;
  /** The code asks for something and waits. */
  asked(row: KernelSessionRow, executionId: string, question: { prompt: string; isPassword: boolean }): void;
  /** What widgets were told, in order: in the transaction in which the rest is stored. */
  comms(write: Write, row: KernelSessionRow, messages: KernelMessage[]): Promise<void>;
  /** Which of these executions are still what their cells show: it is about to be changed. */
  stillShown(write: Write, executionIds: string[]): Promise<string[]>;
}

export interface Answer {
  outcome: Outcome;
  outputs: CellOutput[];
  expressions: Record<string, unknown>;
}

export interface StopReason {
  reason: 'stopped' | 'idle' | 'quota' | 'time' | 'output' | 'finished' | 'shutdown' | 'lost';
  message: string;
}

export interface LiveSessionOptions {
  /** The execution time it has on loan; null while it needs none. */
  lease: Lease | null;
  mask: Mask;
  /** How much one execution may show. */
  outputLimit: number;
  /** And all of them together; null is without limit. */
  sessionLimit: number | null;
  /** Before the kernel's folder goes. */
  beforeEnd(): Promise<void>;
  onEnded(): void;
  /** Asked for each time: a kernel that was taken up again is there before those who want to know. */
  watcher(): Watcher | null;
}

/** What is printed is told at once, but not more often than this. */
const gatherMs = 50;
/** So much is stored as fast as it comes, in portions of this size; then in small ones, with rests in between. */
const burstBytes = 1024 ** 2;
const portionBytes = 256 * 1024;
const gatherBytes = 64 * 1024;
/** A rest is this many times as long as storing took, within bounds. */
const restTimes = 6;
const shortestRestMs = 60;
const longestRestMs = 500;
const retryMs = 1_000;
const hurryMs = 3_000;

/** A kernel that is there, on the server's side: takes in what it says, in order, and stores it once. */
export class LiveSession {
  host: IdentifiedHost;
  readonly ended: Promise<void>;
  row: KernelSessionRow;
  lease: Lease | null;
  readonly #ctx: Context;
  readonly #options: LiveSessionOptions;
  readonly #ongoing = new Map<string, Ongoing>();
  readonly #asking = new Map<string, PromiseWithResolvers<Answer> & { collected: Collected; size: number }>();
  #comms: KernelMessage[] = [];
  readonly #ending = Promise.withResolvers<void>();
  /** Who wants to store something with an execution that is not stored yet. */
  readonly #noted = new Map<string, NonNullable<ExecuteInput['noted']>>();
  readonly #widgets = new Map<string, Record<string, unknown>>();
  readonly #widgetOutputs = new WidgetOutputs();
  readonly #displays = new Displays();
  /** Of what has ended, changed by what runs now. */
  #changed: Batch[] = [];
  #toldState: string | null = null;
  #stop: StopReason | null = null;
  #leasing: Promise<Lease> | null = null;
  #events: HostEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  /** Ends that were heard and not yet taken in: somebody waits to be told. */
  #ends = 0;
  #shownBytes = 0;
  #isStoring = false;
  #hurriesUntil = 0;
  #rest: AbortController | null = null;
  /** When what runs began, by our clock. */
  #busySince: number | null = null;
  /** From and to, by the host's clock: what is counted already while more goes on beside it. */
  #counted: [number, number][] = [];

  constructor(ctx: Context, host: IdentifiedHost, row: KernelSessionRow, options: LiveSessionOptions) {
    this.#ctx = ctx;
    this.host = host;
    this.row = row;
    this.lease = options.lease;
    this.#options = options;
    this.ended = this.#ending.promise;
  }

  get isBusy(): boolean {
    return this.#ongoing.size > 0;
  }

  /** Forgotten with everything else when it begins anew. */
  forgetWidgets(): void {
    this.#widgets.clear();
    this.#displays.forget();
  }

  /** What each widget in the kernel is made of, as far as we have heard. */
  widgets = (): Record<string, Record<string, unknown>> => Object.fromEntries(this.#widgets);

  /** It is on its way out, or gone. */
  get isEnding(): boolean {
    return this.#stop !== null || this.row.endedAt !== null;
  }

  /** Of execution time, up to now. */
  get usedMs(): number {
    return this.row.usedMs + (this.#busySince === null ? 0 : performance.now() - this.#busySince);
  }

  /** The execution of a cell that goes on or is not stored yet; null when there is none. */
  goingOf(batchId: string, cell: string): { id: string; row: ExecutionRow; finished: Promise<Outcome> } | null {
    const going = [...this.#ongoing.values()].find(({ row }) => row.batchId === batchId && row.cell === cell);
    return going ? { id: going.row.id, row: going.row, finished: going.finished } : null;
  }

  /** An execution that was going on when the server ended. */
  resume(row: ExecutionRow, collected: Collected): void {
    this.#going(new Ongoing(row, false, collected));
  }

  #going(ongoing: Ongoing): void {
    const { row } = ongoing;
    this.#ongoing.set(row.id, ongoing);
    const elapsedMs = Math.max(0, this.#ctx.now().getTime() - row.startedAt.getTime());
    ongoing.since = performance.now() - elapsedMs;
    this.#busySince ??= ongoing.since;
    ongoing.limit = this.lease?.limit(this.usedMs, elapsedMs, row.longestMs) ?? null;
  }

  get #unfinished(): Ongoing[] {
    return [...this.#ongoing.values()].filter(({ row }) => row.endedAt === null);
  }

  /** What runs beside something else takes no time of its own. */
  #count({ at, milliseconds }: Extract<HostEvent, { type: 'finished' }>): void {
    const isLast = this.#unfinished.length === 0;
    let pieces: [number, number][] = [[at - milliseconds, at]];
    for (const [began, ended] of this.#counted) {
      pieces = pieces.flatMap(([from, to]): [number, number][] => [
        [from, Math.min(to, began)],
        [Math.max(from, ended), to],
      ]);
      pieces = pieces.filter(([from, to]) => from < to);
    }
    for (const [from, to] of pieces) this.row.usedMs += to - from;
    this.#counted = isLast ? [] : [...this.#counted, ...pieces];
    this.#busySince = isLast ? null : performance.now();
  }

  async execute(input: ExecuteInput): Promise<Outcome> {
    const { id, code, batchId, cell, topic } = input;
    if (this.#stop || this.row.endedAt) return this.#tooLate();
    const lease = this.lease ?? (await this.#openLease());
    const limit = lease.limit(this.usedMs, 0, input.longestMs);
    const now = this.#ctx.now();
    const row: ExecutionRow = {
      id,
      sessionId: this.row.id,
      batchId,
      cell,
      topic,
      state: 'running',
      executionCount: null,
      longestMs: input.longestMs,
      errorName: null,
      reason: null,
      outputBytes: 0,
      clearsWithNext: false,
      startedAt: now,
      endedAt: null,
      milliseconds: null,
    };
    const ongoing = new Ongoing(row, true);
    ongoing.limit = limit;
    this.#ongoing.set(id, ongoing);
    if (input.noted) this.#noted.set(id, input.noted);
    this.#busySince ??= performance.now();
    // Stored with the first that is heard of it: until then the host knows what it is, should we be killed.
    const { allowsInput = false, isParallel = false } = input;
    await this.host
      .execute(this.row.id, { id, code, limitMs: limit.limitMs, allowsInput, isParallel, note: { ...row } })
      .catch((error: unknown) => this.#notSent(id, code, error));
    if (this.row.endedAt && this.#ongoing.delete(id)) return this.#tooLate();
    return ongoing.finished;
  }

  /** Over a connection that broke it is sent again; what cannot be reached at all is ended, which ends this too. */
  async #notSent(id: string, code: string, error: unknown): Promise<void> {
    if (error instanceof HostLost) {
      await this.#ctx.kernels.running().catch(() => null);
      return this.ensure(id, code);
    }
    this.#complain(error, 'A kernel did not take what it was to run');
    void this.stop({ reason: 'lost', message: 'The kernel could not be reached. Run it again.' });
  }

  /** Runs something beside the executions that are kept: nothing of it is stored. */
  async ask(code: string, expressions: Record<string, string>, limitMs: number): Promise<Answer> {
    if (this.#stop || this.row.endedAt) return { outcome: this.#tooLate(), outputs: [], expressions: {} };
    const id = randomUUID();
    const asking = { ...Promise.withResolvers<Answer>(), collected: nothingCollected(), size: 0 };
    this.#asking.set(id, asking);
    const isSilent = code === '';
    // What somebody wants to be run takes their time, as a cell does.
    if (!isSilent) {
      if (!this.lease) await this.#openLease();
      this.#busySince ??= performance.now();
    }
    const request = {
      id,
      code,
      limitMs,
      isSilent,
      storesHistory: false,
      userExpressions: expressions,
      onlyInterrupts: isSilent,
    };
    try {
      await this.host.execute(this.row.id, request);
      return await asking.promise;
    } finally {
      this.#asking.delete(id);
    }
  }

  #tooLate(): Outcome {
    const reason = this.#stop?.message ?? this.row.endMessage ?? 'The kernel is gone.';
    return { state: 'aborted', reason, errorName: null };
  }

  /** After a restart: a kernel that never got it gets it now; one that did does nothing. */
  async ensure(id: string, code: string): Promise<void> {
    const { limit, row: note } = this.#ongoing.get(id) ?? {};
    const limitMs = limit?.limitMs ?? null;
    await this.host.execute(this.row.id, { id, code, limitMs, note }).catch(() => {});
  }

  /** Asked twice at once, it is one. */
  #openLease(): Promise<Lease> {
    this.#leasing ??= Lease.open(this.#ctx, this.row, randomUUID(), this.usedMs)
      .then((lease) => {
        this.lease = lease;
        return lease;
      })
      .finally(() => {
        this.#leasing = null;
      });
    return this.#leasing;
  }

  /** While it is busy: more time, if little is left and there is more. */
  async renewLease(): Promise<void> {
    if (!this.lease || this.#unfinished.length === 0) return;
    if (!(await this.lease.renew(this.#ctx, this.usedMs))) return;
    for (const ongoing of this.#unfinished) {
      ongoing.limit = this.lease.limit(this.usedMs, performance.now() - ongoing.since, ongoing.row.longestMs);
      await this.host.allow(this.row.id, ongoing.row.id, ongoing.limit.limitMs);
    }
  }

  /** While nothing runs: others can have the time. */
  async releaseLease(): Promise<void> {
    const { lease } = this;
    if (!lease || this.isBusy) return;
    this.lease = null;
    this.row.leaseId = null;
    await this.#ctx.write(async (write) => {
      await lease.settle(this.#ctx, write, this.row.usedMs, 'idle');
      await write.tx.update(kernelSessions).set({ leaseId: null }).where(eq(kernelSessions.id, this.row.id));
    });
  }

  /** Why it ends is told with its end. */
  async stop(why: StopReason): Promise<void> {
    this.#stop ??= why;
    await this.host.stop(this.row.id).catch(() => {});
  }

  /** Whoever stops something waits for it: what it has said until then is taken in without rests. */
  async interrupt(executionId?: string): Promise<void> {
    this.#hurriesUntil = performance.now() + hurryMs;
    this.#rest?.abort();
    await this.host.interrupt(this.row.id, executionId);
  }

  hear(event: HostEvent): void {
    if (event.type === 'accepted') this.#learn(event);
    this.#events.push(event);
    if (isEnd(event)) this.#ends += 1;
    const isUrgent = isEnd(event) || isQuestion(event);
    if (this.#isStoring) return;
    if (isUrgent) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), gatherMs);
  }

  /** Of an execution that an earlier life of this server had asked for and not yet stored when it was killed. */
  #learn({ executionId, sequence, note }: Extract<HostEvent, { type: 'accepted' }>): void {
    if (this.#ongoing.has(executionId) || sequence <= this.row.storedSequence || !note) return;
    this.#going(new Ongoing(note as ExecutionRow, true));
  }

  /** The host is gone, with everything in it. */
  lose(): void {
    if (this.row.endedAt) return;
    this.#stop ??= { reason: 'lost', message: 'The process that runs kernels has ended. Run it again.' };
    const at = this.#ctx.now().getTime();
    const end = { reason: 'lost' as const, message: this.#stop.message, exitCode: null, signal: null };
    let sequence = Math.max(this.row.storedSequence, this.#events.at(-1)?.sequence ?? 0);
    const next = () => {
      sequence += 1;
      return { kernelId: this.row.id, sequence, at };
    };
    const result = { status: 'ended' as const, executionCount: null, error: null, userExpressions: {}, end };
    const milliseconds = this.#busySince === null ? 0 : Math.round(performance.now() - this.#busySince);
    for (const executionId of this.#ongoing.keys()) {
      this.hear({ type: 'finished', executionId, result, milliseconds, overrun: null, ...next() });
    }
    this.hear({ type: 'ended', end, ...next() });
  }

  #store(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isStoring) return;
    this.#isStoring = true;
    void this.#storeAll().finally(() => {
      this.#isStoring = false;
      // Heard after the last look and before this.
      if (this.#events.length > 0) this.#store();
    });
  }

  async #storeAll(): Promise<void> {
    let burst = 0;
    while (this.#events.length > 0) {
      // One who goes on to say very much must not keep everybody else waiting; but who waits for an end is told soon.
      const isSlow = () =>
        burst > burstBytes && this.#ends === 0 && !this.#stop && performance.now() > this.#hurriesUntil;
      const { count, bytes } = countUpTo(this.#events, isSlow() ? gatherBytes : portionBytes);
      const began = performance.now();
      const events = this.#events.splice(0, count);
      const isOver = this.#takeIn(events);
      const finished = [...this.#ongoing.values()].filter(({ row }) => row.endedAt !== null);
      const batch = [...this.#ongoing.values()].map((ongoing) => ({ row: { ...ongoing.row }, ...ongoing.take() }));
      await this.#persist(batch, this.#changed.splice(0));
      for (const ongoing of finished) this.#ongoing.delete(ongoing.row.id);
      if (isOver)
        await this.#options.beforeEnd().catch((error: unknown) => this.#complain(error, 'Saving files failed'));
      for (const ongoing of finished) ongoing.settle();
      this.host.stored(this.row.id, this.row.storedSequence);
      if (isOver) {
        this.#options.onEnded();
        this.#ending.resolve();
      }
      burst = this.#events.length > 0 ? burst + bytes : 0;
      const rest = restTimes * (performance.now() - began);
      if (isSlow()) await this.#restFor(Math.min(longestRestMs, Math.max(shortestRestMs, rest)));
    }
  }

  async #restFor(milliseconds: number): Promise<void> {
    this.#rest = new AbortController();
    await wait(milliseconds, undefined, { signal: this.#rest.signal }).catch(() => {});
    this.#rest = null;
  }

  /** Applies what was heard; true when the kernel has ended. */
  #takeIn(events: HostEvent[]): boolean {
    let isOver = false;
    for (const event of events) {
      if (isEnd(event)) this.#ends -= 1;
      if (event.sequence <= this.row.storedSequence) continue;
      this.row.storedSequence = event.sequence;
      if (event.type === 'message') {
        try {
          this.#message(event);
        } catch (error) {
          this.#complain(error, 'A message of a kernel could not be taken in');
        }
      } else if (event.type === 'finished') this.#finish(event);
      else if (event.type === 'ended') {
        isOver = true;
        const { reason, message } = this.#stop ?? event.end;
        const endedAt = new Date(event.at);
        this.row = { ...this.row, state: 'ended', endReason: reason, endMessage: message, endedAt };
        for (const { resolve } of this.#asking.values())
          resolve({ outcome: this.#tooLate(), outputs: [], expressions: {} });
        // What the kernel never got ends with it.
        for (const ongoing of this.#ongoing.values()) {
          if (!ongoing.row.endedAt) ongoing.end({ state: 'aborted', reason: message, errorName: null }, 0, endedAt);
        }
      } else if (event.type === 'state' && (event.state === 'idle' || event.state === 'busy')) {
        this.row.state = event.state;
      } else if (event.type === 'features') this.row.features = event.features;
    }
    return isOver;
  }

  #message({ message }: Extract<HostEvent, { type: 'message' }>): void {
    if (message.type.startsWith('comm_')) {
      const masked = {
        ...message,
        content: maskedFields(message.content, this.#options.mask) as KernelMessage['content'],
      };
      takeInComm(this.#widgets, masked);
      addComm(this.#comms, masked);
      return;
    }
    const inWidget = this.#widgetOutputs.take(this.#widgets, message, this.#options.mask);
    if (inWidget) {
      takeInComm(this.#widgets, inWidget);
      addComm(this.#comms, inWidget);
      return;
    }
    if (message.type === 'input_request' && message.executionId) {
      const { prompt, password } = message.content;
      const question = { prompt: this.#options.mask(String(prompt ?? '')), isPassword: password === true };
      this.#options.watcher()?.asked(this.row, message.executionId, question);
      return;
    }
    const asking = this.#asking.get(message.executionId ?? '');
    if (asking) {
      for (const change of asking.size > askedLimit ? [] : collect(asking.collected, message, this.#options.mask))
        asking.size += sizeOfChange(change);
      return;
    }
    const ongoing = message.executionId ? this.#ongoing.get(message.executionId) : undefined;
    if (!ongoing) return;
    const { mask, outputLimit, sessionLimit } = this.#options;
    const before = ongoing.row.outputBytes;
    const changed = this.#displays.take(message, mask);
    this.#changed.push(...changed);
    for (const change of changed[0]?.changes ?? []) ongoing.row.outputBytes += sizeOfChange(change);
    const isOver = ongoing.hear(message, mask, outputLimit);
    this.#shownBytes += ongoing.row.outputBytes - before;
    const isAllOver = sessionLimit !== null && this.#shownBytes > sessionLimit;
    if (!isOver && !isAllOver) return;
    const megabytes = Math.round(((isAllOver ? sessionLimit : null) ?? outputLimit) / 1024 ** 2);
    void this.stop({ reason: 'output', message: `It was ended because it shows more than ${megabytes} MB.` });
  }

  #finish(event: Extract<HostEvent, { type: 'finished' }>): void {
    const asking = this.#asking.get(event.executionId);
    if (asking) {
      const { state, reason, errorName } = outcomeOf(event, this.#stop, 'It took longer than it may.');
      const outputs = asking.collected.outputs.map(({ output }) => output);
      const expressions = event.result.userExpressions;
      this.#count(event);
      asking.resolve({ outcome: { state, reason, errorName }, outputs, expressions });
      return;
    }
    const ongoing = this.#ongoing.get(event.executionId);
    if (!ongoing) return;
    const tooLong = ongoing.limit?.message ?? 'It took longer than it may.';
    const { state, reason, errorName } = outcomeOf(event, this.#stop, tooLong);
    const shown = (text: string | null) => (text === null ? null : storable(this.#options.mask(text)));
    const outcome = { state, reason: shown(reason), errorName: shown(errorName) };
    ongoing.end(outcome, event.milliseconds, new Date(event.at));
    this.#displays.remember(ongoing.row, ongoing.outputs);
    this.#count(event);
    this.row.executionsCount += 1;
    this.row.activeAt = this.#ctx.now();
  }

  /** A database that is away for a moment must not lose anything: the host keeps it meanwhile. */
  async #persist(given: Batch[], changed: Batch[]): Promise<void> {
    let batch = given;
    const comms = this.#comms;
    this.#comms = [];
    for (;;) {
      try {
        await this.#ctx.write(async (write) => {
          storeBatch(write, this.row, [...batch, ...(await this.#stillShown(write, changed))]);
          for (const { row } of batch) this.#noted.get(row.id)?.(write, row);
          if (comms.length > 0) await this.#options.watcher()?.comms(write, this.row, comms);
          const { endedAt, endReason, usedMs } = this.row;
          if (endedAt && endReason) await this.lease?.settle(this.#ctx, write, usedMs, endReason);
          await this.#tellState(write);
        });
        for (const { row } of given) this.#noted.delete(row.id);
        return;
      } catch (error) {
        this.#complain(error, 'Storing what a kernel said failed; trying again');
        // What the database refuses for its content it will refuse again.
        if (isRefused(error) && batch.some(({ outputs }) => outputs.length > 0)) batch = batch.map(withoutOutputs);
        else await wait(retryMs);
      }
    }
  }

  async #stillShown(write: Write, changed: Batch[]): Promise<Batch[]> {
    const watcher = this.#options.watcher();
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
  async #tellState(write: Write): Promise<void> {
    const state = this.row.state === 'busy' ? 'idle' : this.row.state;
    if (state === this.#toldState) return;
    await this.#options.watcher()?.stateChanged(write, this.row);
    write.after(() => {
      this.#toldState = state;
    });
  }

  #complain(error: unknown, what: string): void {
    this.#ctx.log.error({ error, session: this.row.id }, what);
  }
}

/** How much is kept of what is asked for beside the cells. */
const askedLimit = 1024 ** 2;
