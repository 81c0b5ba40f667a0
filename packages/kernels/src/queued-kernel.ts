import type { ExecuteRequest, ExecuteResult, KernelEnd, KernelMessage, KernelState } from './port.ts';
import { abortedResult, endedResult } from './results.ts';

interface Waiting {
  request: ExecuteRequest;
  resolve: (result: ExecuteResult) => void;
}

/**
 * The common part of all kernels: listeners, a state, an end, and executions one after another, or beside each other where
 * there are subshells. Waiting executions have not been sent to the kernel and can still be aborted.
 */
export abstract class QueuedKernel {
  readonly #ending = Promise.withResolvers<KernelEnd>();
  readonly ended = this.#ending.promise;
  readonly #messageListeners = new Set<(message: KernelMessage) => void>();
  readonly #stateListeners = new Set<(state: KernelState) => void>();
  #state: KernelState = 'starting';
  #end: KernelEnd | null = null;
  #isOpen = false;
  #waiting: Waiting[] = [];
  #running: Waiting | null = null;
  readonly #beside = new Set<Waiting>();

  /** Never rejects; a result after a `drop` or a `close` is ignored. */
  protected abstract run(request: ExecuteRequest, isBeside: boolean): Promise<ExecuteResult>;

  get hasSubshells(): boolean {
    return false;
  }

  get state(): KernelState {
    return this.#state;
  }

  protected get end(): KernelEnd | null {
    return this.#end;
  }

  onMessage(listener: (message: KernelMessage) => void): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  onState(listener: (state: KernelState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  execute(request: ExecuteRequest): Promise<ExecuteResult> {
    return new Promise((resolve) => {
      if (this.#end) return resolve(endedResult(this.#end));
      const waiting = { request, resolve };
      const isBusy = this.#running !== null || this.#waiting.length > 0;
      if (request.isParallel && isBusy && this.#isOpen && this.hasSubshells) return this.#runBeside(waiting);
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  protected publish(message: KernelMessage): void {
    for (const listener of this.#messageListeners) listener(message);
  }

  /** The kernel is ready, so waiting executions are sent to it. */
  protected open(): void {
    if (this.#end) return;
    this.#isOpen = true;
    if (this.#waiting.length === 0) this.#become('idle');
    this.#next();
  }

  /** Ends running and waiting executions; later requests are for the restarted kernel. */
  protected drop(end: KernelEnd): void {
    this.#become('restarting');
    this.#clear(end);
  }

  protected close(end: KernelEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#clear(end);
    this.#become('ended');
    this.#ending.resolve(end);
  }

  #clear(end: KernelEnd): void {
    const all = [...(this.#running ? [this.#running] : []), ...this.#beside, ...this.#waiting];
    this.#isOpen = false;
    this.#beside.clear();
    this.#running = null;
    this.#waiting = [];
    for (const { resolve } of all) resolve(endedResult(end));
  }

  #next(): void {
    if (!this.#isOpen || this.#running) return;
    const running = this.#waiting.shift();
    if (!running) return;
    this.#running = running;
    this.#become('busy');
    void this.run(running.request, false).then((result) => this.#finish(running, result));
  }

  #runBeside(beside: Waiting): void {
    this.#beside.add(beside);
    void this.run(beside.request, true).then((result) => {
      if (!this.#beside.delete(beside)) return;
      beside.resolve(result);
      this.#rest();
    });
  }

  #rest(): void {
    if (!this.#running && this.#waiting.length === 0 && this.#beside.size === 0) this.#become('idle');
  }

  #finish(running: Waiting, result: ExecuteResult): void {
    if (this.#running !== running) return;
    this.#running = null;
    if (result.status === 'error' && running.request.stopsOnError) {
      for (const { resolve } of this.#waiting.splice(0)) resolve(abortedResult);
    }
    running.resolve(result);
    if (this.#waiting.length > 0) this.#next();
    else this.#rest();
  }

  #become(state: KernelState): void {
    if (this.#state === state || this.#state === 'ended') return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
