import type { ExecuteRequest, ExecuteResult, Fields, KernelEnd, KernelMessage } from '../port.ts';
import type { WireMessage } from '../wire/message.ts';
import type { KernelClient } from './client.ts';

/** So that the parent of a message says by itself whether an execution caused it, however late it comes. */
const mark = 'execution:';

export const executionOf = (message: WireMessage): string | null => {
  const parent = message.parent.msg_id;
  return typeof parent === 'string' && parent.startsWith(mark) ? parent.slice(mark.length) : null;
};

export const toKernelMessage = (channel: KernelMessage['channel'], message: WireMessage): KernelMessage => ({
  channel,
  type: message.header.msg_type,
  content: message.content,
  metadata: message.metadata,
  buffers: message.buffers,
  executionId: executionOf(message),
});

interface Waiting {
  request: ExecuteRequest;
  resolve: (result: ExecuteResult) => void;
}

interface Running extends Waiting {
  reply: Fields | null;
  isIdle: boolean;
  begun: PromiseWithResolvers<void>;
  since: number;
}

/** One after another: what waits is not yet with the kernel and can still be taken back. */
export class Executions {
  readonly #onBusy: (isBusy: boolean) => void;
  #client: KernelClient | null = null;
  #waiting: Waiting[] = [];
  #running: Running | null = null;

  constructor(onBusy: (isBusy: boolean) => void) {
    this.#onBusy = onBusy;
  }

  add(request: ExecuteRequest): Promise<ExecuteResult> {
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve });
      this.#next();
    });
  }

  /** From now on by this kernel. */
  use(client: KernelClient): void {
    this.#client = client;
    this.#next();
  }

  /** The kernel is gone, and what it was asked with it. */
  end(end: KernelEnd): void {
    const all = [...(this.#running ? [this.#running] : []), ...this.#waiting];
    this.#client = null;
    this.#running?.begun.resolve();
    this.#running = null;
    this.#waiting = [];
    for (const { resolve } of all) resolve(endedResult(end));
  }

  /** Resolves when the kernel is in the running one's code; before, an interruption would go unheard. */
  async begun(): Promise<{ age: number; isRunning: () => boolean; giveUp: () => void } | null> {
    const running = this.#running;
    await running?.begun.promise;
    if (!running || this.#running !== running) return null;
    const giveUp = () => {
      if (running.reply) return;
      running.reply = { status: 'error', ename: 'KeyboardInterrupt', evalue: '', traceback: ['KeyboardInterrupt'] };
      running.isIdle = true;
      this.#finish(running);
    };
    return { age: performance.now() - running.since, isRunning: () => this.#running === running, giveUp };
  }

  /** To be told of everything on iopub: some kernels reply before they have said everything, some after. */
  hear(message: WireMessage): void {
    const running = this.#running;
    if (!running || executionOf(message) !== running.request.id) return;
    const isStatus = message.header.msg_type === 'status';
    if (!isStatus || running.request.isSilent) running.begun.resolve();
    if (!isStatus || message.content.execution_state !== 'idle') return;
    running.isIdle = true;
    this.#finish(running);
  }

  #next(): void {
    const client = this.#client;
    if (!client || this.#running) return;
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    const running: Running = {
      ...waiting,
      reply: null,
      isIdle: false,
      begun: Promise.withResolvers(),
      since: performance.now(),
    };
    this.#running = running;
    this.#onBusy(true);
    const { request } = running;
    const content = {
      code: request.code,
      silent: request.isSilent ?? false,
      store_history: request.storesHistory ?? !request.isSilent,
      user_expressions: request.userExpressions ?? {},
      allow_stdin: request.allowsInput ?? false,
      // Ours to do: the kernel would also refuse what reaches it a moment later.
      stop_on_error: false,
    };
    client.request('shell', 'execute_request', content, mark + request.id).then(
      (reply) => {
        running.reply = reply.content;
        this.#finish(running);
      },
      // It has ended, and `end` says why.
      () => {},
    );
  }

  #finish(running: Running): void {
    if (this.#running !== running || !running.reply || !running.isIdle) return;
    this.#running = null;
    running.begun.resolve();
    const result = resultOf(running.reply);
    if (result.status === 'error' && running.request.stopsOnError) {
      for (const { resolve } of this.#waiting.splice(0)) resolve({ ...emptyResult, status: 'aborted' });
    }
    running.resolve(result);
    if (this.#waiting.length === 0) this.#onBusy(false);
    this.#next();
  }
}

const emptyResult = { executionCount: null, error: null, userExpressions: {}, end: null };

export const endedResult = (end: KernelEnd): ExecuteResult => ({ ...emptyResult, status: 'ended', end });

function resultOf(reply: Fields): ExecuteResult {
  const count = reply.execution_count;
  const base = { ...emptyResult, executionCount: typeof count === 'number' ? count : null };
  if (reply.status === 'ok')
    return { ...base, status: 'ok', userExpressions: (reply.user_expressions ?? {}) as Fields };
  if (reply.status !== 'error') return { ...base, status: 'aborted' };
  const traceback = Array.isArray(reply.traceback) ? reply.traceback.map(String) : [];
  return { ...base, status: 'error', error: { name: String(reply.ename), value: String(reply.evalue), traceback } };
}
