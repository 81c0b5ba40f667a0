import { randomUUID } from 'node:crypto';
import { type HostEvent, HostLost } from '@atoll/kernels/client';
import type { Collected, Widget } from '@atoll/notebook';
import type { Context } from '../../../platform/context.ts';
import type { IdentifiedHost } from '../../../platform/kernels/kernels.ts';
import type { ExecutionRow, KernelSessionRow } from '../table.ts';
import { type ExecuteInput, newExecution } from './executions/execute-input.ts';
import { ExecutionRegistry, type ExecutionRegistryOptions } from './executions/execution-registry.ts';
import { ExecutionTime } from './executions/execution-time.ts';
import { type Answer, KernelRequests, unanswered } from './executions/kernel-requests.ts';
import type { Lease } from './lease.ts';
import { MessageBuffer } from './outputs/message-buffer.ts';
import { OutputWriter } from './outputs/output-writer.ts';
import { type Outcome, RunningExecution } from './running-execution.ts';
import { wordsOfLoss } from './sessions/loss.ts';
import type { Watcher } from './watcher.ts';
import { Widgets } from './widgets/widgets.ts';

export interface StopReason {
  reason: 'stopped' | 'idle' | 'quota' | 'time' | 'finished' | 'shutdown' | 'shared' | 'lost';
  message: string;
}

export interface LiveSessionOptions extends ExecutionRegistryOptions {
  /** Its reserved execution time; null while it needs none. */
  lease: Lease | null;
  /** Runs before the kernel's folder is deleted. */
  beforeEnd(): Promise<void>;
  onEnded(): void;
  /** Looked up each time, because a resumed kernel exists before its watcher is registered. */
  watcher(): Watcher | null;
}

/** The server's side of a live kernel: applies its events in order, and stores each once. */
export class LiveSession {
  host: IdentifiedHost;
  readonly ended: Promise<void>;
  readonly row: KernelSessionRow;
  readonly time: ExecutionTime;
  readonly #ctx: Context;
  readonly #options: LiveSessionOptions;
  readonly #executions: ExecutionRegistry;
  readonly #requests = new KernelRequests();
  readonly #writer: OutputWriter;
  readonly #messageBuffer = new MessageBuffer(
    (events) => this.#store(events),
    () => this.#stop !== null,
  );
  readonly #widgets = new Widgets();
  readonly #ending = Promise.withResolvers<void>();
  #stop: StopReason | null = null;
  #isLeft = false;

  constructor(ctx: Context, host: IdentifiedHost, row: KernelSessionRow, options: LiveSessionOptions) {
    this.#ctx = ctx;
    this.host = host;
    this.row = row;
    this.time = new ExecutionTime(ctx, row, options.lease);
    this.#options = options;
    this.#executions = new ExecutionRegistry(options);
    this.#writer = new OutputWriter(ctx, options.watcher);
    this.ended = this.#ending.promise;
  }

  get isBusy(): boolean {
    return !this.#executions.isEmpty;
  }

  /** Call it when the kernel restarts, which forgets everything else too. */
  forgetWidgets(): void {
    this.#widgets.forget();
    this.#executions.displays.forget();
  }

  /** The state of each widget in the kernel, as far as its messages have arrived. */
  widgets = (): Record<string, Widget> => this.#widgets.all();

  /** It is ending or has ended. */
  get isEnding(): boolean {
    return this.#stop !== null || this.row.endedAt !== null;
  }

  /** The execution of a cell that is running or not stored yet; null when there is none. */
  goingOf(batchId: string, cell: string): { id: string; row: ExecutionRow; finished: Promise<Outcome> } | null {
    const going = this.#executions.find(batchId, cell);
    return going ? { id: going.row.id, row: going.row, finished: going.finished } : null;
  }

  /** Resumes an execution that was running when the server ended. */
  resume(row: ExecutionRow, collected: Collected): void {
    this.#takeUp(new RunningExecution(row, false, collected));
  }

  /** Loads outputs of ended executions that can still be changed. */
  recallDisplays = (): Promise<void> => this.#executions.displays.recall(this.#ctx.db, this.row.id);

  #takeUp(ongoing: RunningExecution): void {
    const { row } = ongoing;
    this.#executions.add(ongoing);
    const elapsedMs = Math.max(0, this.#ctx.now().getTime() - row.startedAt.getTime());
    ongoing.since = performance.now() - elapsedMs;
    this.time.begin(ongoing.since);
    ongoing.limit = this.time.limit(elapsedMs, row.longestMs);
  }

  async execute(input: ExecuteInput): Promise<Outcome> {
    const { id, code, longestMs, noted, allowsInput = false, isParallel = false } = input;
    if (this.#stop || this.row.endedAt) return this.#tooLate();
    // The restarted server receives its outcome.
    if (this.#isLeft) return new Promise(() => {});
    const lease = this.time.lease ?? (await this.time.open());
    const limit = lease.limit(this.time.usedMs, 0, longestMs);
    const row = newExecution(this.row.id, input, this.#ctx.now());
    const ongoing = new RunningExecution(row, true);
    ongoing.limit = limit;
    this.#executions.add(ongoing);
    if (noted) this.#writer.with(id, noted);
    this.time.begin();
    // Persisted with its first event; until then the host keeps it for recovery.
    await this.host
      .execute(this.row.id, { id, code, limitMs: limit.limitMs, allowsInput, isParallel, note: { ...row } })
      .catch((error: unknown) => this.#notSent(id, code, error));
    if (this.row.endedAt && this.#executions.delete(id)) return this.#tooLate();
    return ongoing.finished;
  }

  /** Sends it again after a broken connection; a kernel that cannot be reached is stopped, which ends the execution too. */
  async #notSent(id: string, code: string, error: unknown): Promise<void> {
    if (error instanceof HostLost) {
      await this.#ctx.kernels.running().catch(() => null);
      return this.ensure(id, code);
    }
    if (this.#isLeft) return;
    this.#complain(error, 'A kernel did not take what it was to run');
    void this.stop({ reason: 'lost', message: 'The kernel could not be reached. Run it again.' });
  }

  /** Runs code beside the stored executions; nothing of it is stored. */
  async ask(code: string, expressions: Record<string, string>, limitMs: number): Promise<Answer> {
    if (this.#stop || this.#isLeft || this.row.endedAt) return unanswered(this.#tooLate());
    const id = randomUUID();
    const answer = this.#requests.begin(id);
    const isSilent = code === '';
    // Code that a person requests takes their time, as a cell does.
    if (!isSilent) {
      if (!this.time.lease) await this.time.open();
      this.time.begin();
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
      return await answer;
    } finally {
      this.#requests.forget(id);
    }
  }

  #tooLate(): Outcome {
    const left = this.#isLeft ? 'The server is restarting. Try again in a moment.' : null;
    const reason = this.#stop?.message ?? this.row.endMessage ?? left ?? 'The kernel is gone.';
    return { state: 'aborted', reason, errorName: null };
  }

  /** After a restart: a kernel that never received the execution gets it now; otherwise nothing happens. */
  async ensure(id: string, code: string): Promise<void> {
    const { limit, row: note } = this.#executions.get(id) ?? {};
    const limitMs = limit?.limitMs ?? null;
    await this.host.execute(this.row.id, { id, code, limitMs, note }).catch(() => {});
  }

  /** While it is busy: reserves more time, if little is left and there is more. */
  async renewLease(): Promise<void> {
    if (this.#executions.unfinished.length === 0 || !(await this.time.renew())) return;
    for (const ongoing of this.#executions.unfinished) {
      ongoing.limit = this.time.limit(performance.now() - ongoing.since, ongoing.row.longestMs);
      if (ongoing.limit) await this.host.allow(this.row.id, ongoing.row.id, ongoing.limit.limitMs);
    }
  }

  /** While it is idle: releases the time for others. */
  async releaseLease(): Promise<void> {
    if (!this.isBusy) await this.time.release();
  }

  /** The reason is published with its end. */
  async stop(why: StopReason): Promise<void> {
    this.#stop ??= why;
    this.#messageBuffer.wake();
    await this.host.stop(this.row.id).catch(() => {});
  }

  /** Leaves the kernel running; the restarted server resumes it from the stored state. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#requests.end(this.#tooLate());
    await this.#messageBuffer.close();
  }

  /** The caller waits for the interrupt, so earlier output is stored without rests. */
  async interrupt(executionId?: string): Promise<void> {
    this.#messageBuffer.hurry();
    await this.host.interrupt(this.row.id, executionId);
  }

  hear(event: HostEvent): void {
    if (event.type === 'accepted') this.#learn(event);
    this.#messageBuffer.add(event);
  }

  /** Restores an execution that this server requested before it was killed, but had not yet stored. */
  #learn({ executionId, sequence, note }: Extract<HostEvent, { type: 'accepted' }>): void {
    if (this.#executions.has(executionId) || sequence <= this.row.storedSequence || !note) return;
    this.#takeUp(new RunningExecution(note as ExecutionRow, true));
  }

  /** Marks the session as lost: its host has ended, with everything in it. */
  lose(): void {
    if (this.row.endedAt) return;
    this.#stop ??= { reason: 'lost', message: 'The process that runs kernels has ended. Run it again.' };
    const words = wordsOfLoss({
      kernelId: this.row.id,
      executionIds: this.#executions.ids,
      message: this.#stop.message,
      sequence: Math.max(this.row.storedSequence, this.#messageBuffer.lastSequence),
      at: this.#ctx.now().getTime(),
      milliseconds: Math.round(this.time.goingMs),
    });
    for (const event of words) this.hear(event);
  }

  async #store(events: HostEvent[]): Promise<void> {
    const isOver = this.#takeIn(events);
    const { finished, ...words } = this.#executions.take();
    await this.#writer.store(this.row, this.time, { ...words, comms: this.#widgets.take() });
    for (const ongoing of finished) this.#executions.delete(ongoing.row.id);
    if (isOver) await this.#options.beforeEnd().catch((error: unknown) => this.#complain(error, 'Saving files failed'));
    for (const ongoing of finished) ongoing.settle();
    this.host.stored(this.row.id, this.row.storedSequence);
    if (!isOver) return;
    this.#options.onEnded();
    this.#ending.resolve();
  }

  /** Applies received events; true when the kernel has ended. */
  #takeIn(events: HostEvent[]): boolean {
    let isOver = false;
    for (const event of events) {
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
        Object.assign(this.row, { state: 'ended', endReason: reason, endMessage: message, endedAt });
        this.#requests.end(this.#tooLate());
        this.#executions.end(message, endedAt);
      } else if (event.type === 'state' && (event.state === 'idle' || event.state === 'busy')) {
        this.row.state = event.state;
      } else if (event.type === 'features') this.row.features = event.features;
    }
    return isOver;
  }

  #message({ message }: Extract<HostEvent, { type: 'message' }>): void {
    const { mask } = this.#options;
    if (this.#widgets.hear(message, mask)) return;
    if (message.type === 'input_request' && message.executionId) {
      const { prompt, password } = message.content;
      const question = { prompt: mask(String(prompt ?? '')), isPassword: password === true };
      this.#options.watcher()?.asked(this.row, message.executionId, question);
      return;
    }
    if (this.#requests.hear(message, mask)) return;
    if (!this.#executions.hear(message) || !message.executionId) return;
    this.host.mute(this.row.id, message.executionId).catch((error: unknown) => {
      if (!(error instanceof HostLost)) this.#complain(error, 'A kernel that shows too much could not be muted');
    });
  }

  #finish(event: Extract<HostEvent, { type: 'finished' }>): void {
    const isKept = this.#executions.finish(event, this.#stop);
    if (!isKept && !this.#requests.finish(event, this.#stop)) return;
    this.time.count(event, this.#executions.unfinished.length === 0);
    if (!isKept) return;
    this.row.executionsCount += 1;
    this.row.activeAt = this.#ctx.now();
  }

  #complain(error: unknown, what: string): void {
    this.#ctx.log.error({ error, session: this.row.id }, what);
  }
}
