import { setTimeout } from 'node:timers/promises';
import type { ExecuteRequest, ExecuteResult, Fields } from './port.ts';
import { resultOf } from './results.ts';

/** Marks the parent of a message, so that it shows whether an execution caused the message, however late it arrives. */
const mark = 'execution:';

export const messageIdOf = (request: Pick<ExecuteRequest, 'id'>) => mark + request.id;

export const executionOf = (parent: Fields): string | null =>
  typeof parent.msg_id === 'string' && parent.msg_id.startsWith(mark) ? parent.msg_id.slice(mark.length) : null;

export const contentOf = (request: ExecuteRequest) => ({
  code: request.code,
  silent: request.isSilent ?? false,
  store_history: request.storesHistory ?? !request.isSilent,
  user_expressions: request.userExpressions ?? {},
  allow_stdin: request.allowsInput ?? false,
  // The queue aborts executions itself: the kernel would also refuse requests that reach it a moment later.
  stop_on_error: false,
});

/** One execution by a Jupyter kernel; it is done when both its reply and its idle status have arrived. */
export class Execution {
  readonly #request: ExecuteRequest;
  readonly #done = Promise.withResolvers<ExecuteResult>();
  readonly #begun = Promise.withResolvers<void>();
  readonly result = this.#done.promise;
  readonly #since = performance.now();
  #reply: Fields | null = null;
  /** The count from its beginning: with several at once, the reply has another execution's. */
  #count: Fields = {};
  #isIdle = false;
  #isOver = false;

  constructor(request: ExecuteRequest) {
    this.#request = request;
    void this.result.then(() => this.over());
  }

  get id(): string {
    return this.#request.id;
  }

  /** It has its result, or will never get one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Call it for every message on iopub. */
  hear(parent: Fields, type: string, content: Fields): void {
    if (executionOf(parent) !== this.#request.id) return;
    const isStatus = type === 'status';
    if (typeof content.execution_count === 'number' && type === 'execute_input') {
      this.#count = { execution_count: content.execution_count };
    }
    if (!isStatus || this.#request.isSilent) this.#begun.resolve();
    if (!isStatus || content.execution_state !== 'idle') return;
    this.#isIdle = true;
    this.#finish();
  }

  reply(content: Fields): void {
    this.#reply ??= content;
    this.#finish();
  }

  /** The kernel has ended. */
  over(): void {
    this.#isOver = true;
    this.#begun.resolve();
  }

  /** Resolves when the code runs, because an earlier interrupt is lost; false when the execution is already over. */
  async begun(): Promise<boolean> {
    await this.#begun.promise;
    return !this.#isOver;
  }

  /**
   * Repeats the signal shortly after the start, because ipykernel misses it between announcing the code and running it.
   * `ping` is answered after all earlier requests.
   */
  async interrupt(signal: () => Promise<void>, ping: () => Promise<void>): Promise<void> {
    if (!(await this.begun())) return;
    const age = performance.now() - this.#since;
    await signal();
    // ipykernel drops a request without a reply when it is interrupted before the code runs.
    ping().then(
      () => this.#giveUp(),
      () => {},
    );
    for (let again = 0; again < 5 && age < youngMilliseconds; again++) {
      await Promise.race([this.result, setTimeout(againMilliseconds)]);
      if (this.#isOver) return;
      await signal();
    }
  }

  #giveUp(): void {
    this.#isIdle ||= this.#reply === null;
    this.reply({ status: 'error', ename: 'KeyboardInterrupt', evalue: '', traceback: ['KeyboardInterrupt'] });
  }

  #finish(): void {
    if (this.#reply && this.#isIdle) this.#done.resolve(resultOf({ ...this.#reply, ...this.#count }));
  }
}

const youngMilliseconds = 2000;
const againMilliseconds = 500;
