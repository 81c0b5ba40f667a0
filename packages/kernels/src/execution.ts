import { setTimeout } from 'node:timers/promises';
import type { ExecuteRequest, ExecuteResult, Fields } from './port.ts';
import { resultOf } from './results.ts';

/** So that the parent of a message says by itself whether an execution caused it, however late it comes. */
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
  // Ours to do: the kernel would also refuse what reaches it a moment later.
  stop_on_error: false,
});

/** One execution by a Jupyter kernel: done with both its reply and its idle, whichever comes first. */
export class Execution {
  readonly #request: ExecuteRequest;
  readonly #done = Promise.withResolvers<ExecuteResult>();
  readonly #begun = Promise.withResolvers<void>();
  readonly result = this.#done.promise;
  readonly #since = performance.now();
  #reply: Fields | null = null;
  /** As it was told when it began: with several at once, the reply has another's. */
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

  /** It has its result, or will have none. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** To be told of everything on iopub. */
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

  /** The kernel is no more. */
  over(): void {
    this.#isOver = true;
    this.#begun.resolve();
  }

  /** When it is in the code, before which an interruption would go unheard; false when it is over already. */
  async begun(): Promise<boolean> {
    await this.#begun.promise;
    return !this.#isOver;
  }

  /**
   * Repeats the signal while the code is young: ipykernel does not hear it in the moment between announcing the code and
   * running it. `ping` is answered after all that was asked before.
   */
  async interrupt(signal: () => Promise<void>, ping: () => Promise<void>): Promise<void> {
    if (!(await this.begun())) return;
    const age = performance.now() - this.#since;
    await signal();
    // Interrupted before it was in the code, ipykernel drops the request without a reply.
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
