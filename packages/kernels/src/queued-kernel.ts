import type { ExecuteRequest, ExecuteResult, KernelEnd, KernelMessage, KernelState } from './port.ts';
import { abortedResult, endedResult } from './results.ts';

interface Waiting {
  request: ExecuteRequest;
  resolve: (result: ExecuteResult) => void;
}

/**
 * What all kernels have: listeners, a state, an end, and executions one after another, some beside them where there are
 * subshells. What waits is not yet with the kernel and can still be taken back.
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

  /** Never rejects; what comes after a `drop` or a `close` is not heard. */
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

  /** It is there, and what waits goes to it. */
  protected open(): void {
    if (this.#end) return;
    this.#isOpen = true;
    if (this.#waiting.length === 0) this.#become('idle');
    this.#next();
  }

  /** What runs and waits ends so; what is asked from now on is for the kernel's next life. */
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
