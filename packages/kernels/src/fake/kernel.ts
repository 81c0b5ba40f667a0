import { randomUUID } from 'node:crypto';
import type {
  Completion,
  ExecuteRequest,
  ExecuteResult,
  Fields,
  Kernel,
  KernelEnd,
  KernelMessage,
  KernelSpec,
} from '../port.ts';
import { QueuedKernel } from '../queued-kernel.ts';
import { endedResult, ending, restarted, resultOf, stopped } from '../results.ts';
import { type Step, stepsOf } from './script.ts';

class Failure extends Error {}
class Ended extends Error {}

/** A kernel in memory that runs one execution after another, with the messages of a real one. */
export class FakeKernel extends QueuedKernel implements Kernel {
  readonly id = randomUUID();
  readonly spec: KernelSpec;
  readonly sandbox = 'none: nothing is run';
  /** For test suites: the environment it was given. */
  readonly environment: Record<string, string>;
  readonly #names = new Map<string, string>();
  #count = 0;
  /** Rejects the wait of the running code. */
  #break: ((error: Error) => void) | null = null;
  #answer: ((value: string) => void) | null = null;

  constructor(spec: KernelSpec, environment: Record<string, string>) {
    super();
    this.spec = spec;
    this.environment = { ...environment };
    this.open();
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    const word = /\w*$/.exec(code.slice(0, cursor))?.[0] ?? '';
    const matches = [...this.#names.keys()].filter((name) => name.startsWith(word));
    return { matches, from: cursor - word.length, to: cursor, metadata: {} };
  }

  async inspect(code: string, cursor: number): Promise<Fields | null> {
    const word = `${/\w*$/.exec(code.slice(0, cursor))?.[0]}${/^\w*/.exec(code.slice(cursor))?.[0]}`;
    const value = this.#names.get(word);
    return value === undefined ? null : { 'text/plain': value };
  }

  reply(value: string): void {
    this.#answer?.(value);
  }

  async interrupt(): Promise<void> {
    // Behave as if the code had begun; it begins only after the calls in progress.
    await Promise.resolve();
    this.#break?.(new Failure('KeyboardInterrupt'));
  }

  async restart(): Promise<void> {
    if (this.end) throw new Error(this.end.message);
    this.drop(restarted);
    this.#break?.(new Ended());
    this.#names.clear();
    this.#count = 0;
    this.open();
  }

  async stop(): Promise<void> {
    this.endAs(stopped);
  }

  async usage() {
    return this.end ? null : { memoryBytes: 1_000_000, cpuSeconds: 0, processes: 1 };
  }

  async prepare({ environment }: { environment: Record<string, string> }): Promise<boolean> {
    Object.assign(this.environment, environment);
    return true;
  }

  /** Ends the kernel in a certain way, for test suites. */
  endAs(end: KernelEnd): void {
    this.close(end);
    this.#break?.(new Ended());
  }

  protected async run(request: ExecuteRequest): Promise<ExecuteResult> {
    const count = request.isSilent ? this.#count : ++this.#count;
    this.#publish(request, 'status', { execution_state: 'busy' });
    if (!request.isSilent) this.#publish(request, 'execute_input', { code: request.code, execution_count: count });
    let reply: Fields = { status: 'ok', execution_count: count };
    try {
      for (const step of stepsOf(request.code)) await this.#do(step, request, count);
    } catch (error) {
      // The end has been published already.
      if (error instanceof Ended) return endedResult(this.end ?? restarted);
      const [ename = '', evalue = ''] = (error as Failure).message.split(': ');
      const failure = { ename, evalue, traceback: ['Traceback (most recent call last)', `${ename}: ${evalue}`] };
      this.#publish(request, 'error', failure);
      reply = { status: 'error', execution_count: count, ...failure };
    }
    this.#publish(request, 'status', { execution_state: 'idle' });
    return resultOf(reply);
  }

  async #do(step: Step, request: ExecuteRequest, count: number): Promise<void> {
    switch (step.does) {
      case 'print':
        return this.#publish(request, 'stream', { name: step.to, text: step.text });
      case 'echo':
        return this.#publish(request, 'stream', { name: 'stdout', text: step.text });
      case 'display':
        return this.#publish(request, 'display_data', {
          data: { 'text/plain': step.text },
          metadata: {},
          transient: {},
        });
      case 'result':
        return this.#show(request, step.text, count);
      case 'read':
        return this.#show(request, this.#value(step.name), count);
      case 'assign':
        this.#names.set(step.name, step.value);
        return;
      case 'add':
        this.#names.set(step.name, String(Number(this.#value(step.name)) + step.value));
        return;
      case 'fail':
        throw new Failure(`${step.name}: ${step.value}`);
      case 'input':
        return this.#ask(step, request);
      case 'sleep':
        return this.#wait((done) => setTimeout(done, step.seconds * 1000));
      case 'loop':
        return this.#wait(() => {});
      case 'exit':
        this.endAs({ ...ending('exited', `The kernel ended itself with code ${step.code}.`), exitCode: step.code });
        throw new Ended();
      case 'crash':
        this.endAs({ ...ending('crashed', 'The kernel crashed (SIGSEGV).'), signal: 'SIGSEGV' });
        throw new Ended();
    }
  }

  async #ask({ name, prompt }: { name: string; prompt: string }, request: ExecuteRequest): Promise<void> {
    if (!request.allowsInput) throw new Failure('StdinNotImplementedError: nobody can be asked');
    const answered = this.#wait<string>((done) => {
      this.#answer = done;
    });
    this.#publish(request, 'input_request', { prompt, password: false }, 'stdin');
    this.#names.set(name, `'${await answered}'`);
  }

  /** Resolves when it is done or interrupted. */
  async #wait<Value = unknown>(begin: (done: (value: Value) => void) => void): Promise<Value> {
    try {
      return await new Promise<Value>((resolve, reject) => {
        this.#break = reject;
        begin(resolve);
      });
    } finally {
      this.#break = null;
      this.#answer = null;
    }
  }

  #value(name: string): string {
    const value = this.#names.get(name);
    if (value === undefined) throw new Failure(`NameError: name '${name}' is not defined`);
    return value;
  }

  #show(request: ExecuteRequest, text: string, count: number): void {
    this.#publish(request, 'execute_result', { data: { 'text/plain': text }, metadata: {}, execution_count: count });
  }

  #publish(request: ExecuteRequest, type: string, content: Fields, channel: KernelMessage['channel'] = 'iopub'): void {
    this.publish({ channel, type, content, metadata: {}, buffers: [], executionId: request.id });
  }
}
