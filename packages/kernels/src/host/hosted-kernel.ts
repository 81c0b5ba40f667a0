import type { KernelPackages } from '../packages/kernel-packages.ts';
import {
  type ExecuteResult,
  type Kernel,
  type KernelEnd,
  type KernelMessage,
  KernelStartError,
  type KernelState,
  shownTypes,
} from '../port.ts';
import { Journal } from './journal.ts';
import { piecesOf, presentableResult, sizeOf } from './presentable.ts';
import type { HostEvent, HostEventBody, HostExecution, HostKernel, Overrun } from './types.ts';

/** An execution that ignores its interrupt for so long ends its kernel. */
const interruptMs = 2_000;
/** A muted execution with more output than this is interrupted, so that it does not run for ever for nothing. */
const mostMuted = 64 * 1024 ** 2;
/** Linking packages that are already there takes less time. */
const noticeMs = 300;

interface Running {
  /** Null while another execution is ahead: waiting is neither limited nor counted. */
  beganAt: number | null;
  limitMs: number | null;
  overrun: Overrun;
  onlyInterrupts: boolean;
  /** The size of the output that was left out; null while it is not muted. */
  muted: number | null;
  timer: NodeJS.Timeout | null;
}

/** One kernel from the moment it was requested, with its events since. */
export class HostedKernel {
  readonly id: string;
  readonly kind: string;
  readonly folder: string | null;
  readonly packages: KernelPackages | null;
  readonly #environment: Record<string, string>;
  /** Reported with the first execution, and only then. */
  #prepared: Promise<string | null> | null;
  readonly started: Promise<Kernel | null>;
  readonly ended: Promise<void>;
  readonly #journal: Journal;
  readonly #publish: (event: HostEvent) => void;
  readonly #known = new Set<string>();
  readonly #running = new Map<string, Running>();
  readonly #ending = Promise.withResolvers<void>();
  #kernel: Kernel | null = null;
  #state: KernelState = 'starting';
  #features: string[] = [];
  #end: KernelEnd | null = null;
  #isStopped = false;

  constructor(
    options: {
      id: string;
      kind: string;
      environment: Record<string, string>;
      folder: string | null;
      start: Promise<Kernel>;
      packages: KernelPackages | null;
      /** Resolves when its project's packages are there, with the problem if there was one. */
      prepared: Promise<string | null>;
    },
    publish: (event: HostEvent) => void,
  ) {
    this.id = options.id;
    this.kind = options.kind;
    this.folder = options.folder;
    this.#environment = options.environment;
    this.#publish = publish;
    this.packages = options.packages;
    this.#prepared = options.prepared;
    this.ended = this.#ending.promise;
    this.#journal = new Journal(options.id, (isHeld) => this.#kernel?.hold?.(isHeld));
    this.started = options.start.then(
      (kernel) => this.#use(kernel),
      (error: unknown) => this.#fail(error),
    );
  }

  get view(): HostKernel {
    return {
      id: this.id,
      kind: this.kind,
      state: this.#state,
      folder: this.folder,
      lastSequence: this.#journal.last,
      environment: this.#environment,
      features: this.#features,
    };
  }

  /** The kernel has ended and its events are stored. */
  get isDone(): boolean {
    return this.#state === 'ended' && this.#journal.isEmpty;
  }

  after = (sequence: number): HostEvent[] => this.#journal.after(sequence);
  stored = (sequence: number): void => this.#journal.stored(sequence);

  async kernel(): Promise<Kernel> {
    const kernel = await this.started;
    if (!kernel) throw new Error('The kernel did not start');
    return kernel;
  }

  execute(execution: HostExecution): void {
    if (this.#known.has(execution.id)) return;
    this.#known.add(execution.id);
    const { limitMs, note, onlyInterrupts = false } = execution;
    this.#add({ type: 'accepted', executionId: execution.id, note });
    this.#running.set(execution.id, {
      beganAt: null,
      limitMs,
      overrun: null,
      onlyInterrupts,
      muted: null,
      timer: null,
    });
    void this.#run(execution);
  }

  allow(executionId: string, limitMs: number | null): void {
    const running = this.#running.get(executionId);
    if (!running) return;
    running.limitMs = limitMs;
    this.#limit(executionId, running);
  }

  mute(executionId: string): void {
    const running = this.#running.get(executionId);
    if (!running || running.muted !== null) return;
    running.muted = 0;
    this.#kernel?.mute?.(executionId, (bytes) => this.#leaveOut(executionId, running, bytes));
  }

  async interrupt(executionId?: string): Promise<void> {
    this.#journal.hear();
    await (await this.kernel()).interrupt(executionId);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const kernel = await this.started;
    await kernel?.stop();
    await this.ended;
  }

  async #run({ limitMs: _, note: __, onlyInterrupts: ___, ...request }: HostExecution): Promise<void> {
    const kernel = await this.started;
    const running = this.#running.get(request.id);
    if (!running) return;
    if (!kernel || this.#end) return this.#finished(request.id, endedResult(this.#end));
    await this.#awaitPackages(request.id);
    if (this.#end) return this.#finished(request.id, endedResult(this.#end));
    if (request.isParallel && kernel.hasSubshells) this.#begin(request.id);
    else this.#beginNext();
    this.#finished(request.id, await kernel.execute(request));
  }

  async #awaitPackages(executionId: string): Promise<void> {
    const prepared = this.#prepared;
    if (!prepared) return;
    const isSlow = setTimeout(
      () => this.#note(executionId, 'Installing the packages of requirements.txt …\n'),
      noticeMs,
    );
    const problem = await prepared;
    clearTimeout(isSlow);
    if (problem && this.#prepared) this.#note(executionId, `${problem}\n`);
    this.#prepared = null;
  }

  /** Adds a note of ours to the output of the execution. */
  #note(executionId: string, text: string): void {
    const content = { name: 'stderr', text };
    const message = { channel: 'iopub' as const, type: 'stream', content, metadata: {}, buffers: [], executionId };
    this.#add({ type: 'message', message });
  }

  #finished(executionId: string, result: ExecuteResult): void {
    const running = this.#running.get(executionId);
    if (!running) return;
    if (running.timer) clearTimeout(running.timer);
    this.#running.delete(executionId);
    const milliseconds = running.beganAt === null ? 0 : Math.round(performance.now() - running.beganAt);
    const { overrun } = running;
    this.#add({ type: 'finished', executionId, result: presentableResult(result), milliseconds, overrun });
    this.#beginNext();
  }

  /** Begins the first in the queue, unless one is running. */
  #beginNext(): void {
    const isBusy = [...this.#running.values()].some(({ beganAt }) => beganAt !== null);
    const [next] = this.#running.keys();
    if (next !== undefined && !isBusy && this.#kernel && !this.#end) this.#begin(next);
  }

  #begin(executionId: string): void {
    const running = this.#running.get(executionId);
    if (!running || running.beganAt !== null) return;
    running.beganAt = performance.now();
    this.#limit(executionId, running);
  }

  #limit(executionId: string, running: Running): void {
    if (running.timer) clearTimeout(running.timer);
    running.timer = null;
    if (running.limitMs === null || running.beganAt === null) return;
    const left = running.limitMs - (performance.now() - running.beganAt);
    running.timer = setTimeout(() => void this.#overrun(executionId, running), Math.max(0, left));
  }

  async #overrun(executionId: string, running: Running): Promise<void> {
    running.overrun = 'time';
    if (!running.onlyInterrupts) running.timer = setTimeout(() => void this.stop(), interruptMs);
    await this.interrupt(executionId).catch(() => {});
    if (!this.#running.has(executionId) && running.timer) clearTimeout(running.timer);
  }

  async #use(kernel: Kernel): Promise<Kernel> {
    this.#kernel = kernel;
    kernel.onMessage((message) => {
      if (message.type === 'atoll_packages') return void this.packages?.hear(message.content);
      if (message.executionId !== null) this.#begin(message.executionId);
      if (this.#isMuted(message)) return;
      for (const piece of piecesOf(message)) this.#add({ type: 'message', message: piece });
    });
    kernel.onState((state) => this.#become(state));
    void kernel.ended.then((end) => this.#close(end));
    this.#features = kernel.hasSubshells ? ['subshells'] : [];
    this.#add({ type: 'features', features: this.#features });
    this.#become(kernel.state);
    if (this.#isStopped) await kernel.stop();
    return kernel;
  }

  #isMuted({ executionId, type, content }: KernelMessage): boolean {
    const running = executionId === null ? undefined : this.#running.get(executionId);
    if (!executionId || !running || running.muted === null || !shownTypes.has(type)) return false;
    this.#leaveOut(executionId, running, sizeOf(content));
    return true;
  }

  #leaveOut(executionId: string, running: Running, bytes: number): void {
    running.muted = (running.muted ?? 0) + bytes;
    if (running.muted <= mostMuted) return;
    running.muted = 0;
    running.overrun = 'output';
    void this.interrupt(executionId).catch(() => {});
  }

  #fail(error: unknown): null {
    const end: KernelEnd =
      error instanceof KernelStartError
        ? error.end
        : { reason: 'failed_to_start', message: 'The kernel did not start.', exitCode: null, signal: null };
    if (!(error instanceof KernelStartError)) console.error(error);
    void this.#close(end);
    return null;
  }

  #become(state: KernelState): void {
    if (state === this.#state || state === 'ended' || this.#state === 'ended') return;
    this.#state = state;
    this.#add({ type: 'state', state });
  }

  /** Executions end first, then the kernel: the order of the events. */
  async #close(end: KernelEnd): Promise<void> {
    if (this.#end) return;
    this.#end = end;
    // Results that the kernel still has to resolve come first.
    await new Promise(setImmediate);
    for (const executionId of [...this.#running.keys()]) this.#finished(executionId, endedResult(end));
    this.#state = 'ended';
    this.#add({ type: 'ended', end });
    this.#ending.resolve();
  }

  #add(body: HostEventBody): void {
    this.#publish(this.#journal.add(body));
  }
}

const endedResult = (end: KernelEnd | null): ExecuteResult => ({
  status: 'ended',
  executionCount: null,
  error: null,
  userExpressions: {},
  end,
});
