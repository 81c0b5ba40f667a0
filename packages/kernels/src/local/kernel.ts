import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type {
  Completion,
  ExecuteRequest,
  ExecuteResult,
  Fields,
  Kernel,
  KernelEnd,
  KernelMessage,
  KernelSpec,
  KernelState,
  StartOptions,
} from '../port.ts';
import { KernelStartError } from '../port.ts';
import { toCodePoints, toUnits } from '../wire/cursor.ts';
import type { KernelClient } from '../zmq/client.ts';
import { Executions, endedResult, toKernelMessage } from '../zmq/executions.ts';
import { endOf } from './ends.ts';
import type { InstalledSpec } from './kernelspecs.ts';
import { type Life, type LifeContext, startLife } from './life.ts';
import { proportionalBytes, sampleProcesses, sum, treeOf } from './processes.ts';

const youngMilliseconds = 2000;
const againMilliseconds = 500;

export class LocalKernel implements Kernel {
  readonly id = randomUUID();
  readonly spec: KernelSpec;
  readonly sandbox: string;
  readonly ended: Promise<KernelEnd>;
  readonly #context: LifeContext;
  readonly #installed: InstalledSpec;
  readonly #options: StartOptions;
  readonly #messageListeners = new Set<(message: KernelMessage) => void>();
  readonly #stateListeners = new Set<(state: KernelState) => void>();
  readonly #executions = new Executions((isBusy) => this.#become(isBusy ? 'busy' : 'idle'));
  #state: KernelState = 'starting';
  #life: Life | null = null;
  #end: KernelEnd | null = null;
  #finish: (end: KernelEnd) => void = () => {};
  /** One restart or stop at a time. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(context: LifeContext, installed: InstalledSpec, options: StartOptions, sandbox: string) {
    const { name, displayName, language, interruptMode } = installed;
    this.spec = { name, displayName, language, interruptMode };
    this.sandbox = sandbox;
    this.#context = context;
    this.#installed = installed;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get state(): KernelState {
    return this.#state;
  }

  async start(): Promise<void> {
    try {
      const life = await startLife(this.#context, this.#installed, this.#options, (channel, message) => {
        for (const listener of this.#messageListeners) listener(toKernelMessage(channel, message));
        if (channel === 'iopub') this.#executions.hear(message);
      });
      this.#life = life;
      void life.ended.then((end) => this.#lifeEnded(end));
      this.#become('idle');
      this.#executions.use(life.client);
    } catch (error) {
      if (error instanceof KernelStartError) this.#close(error.end);
      throw error;
    }
  }

  onMessage(listener: (message: KernelMessage) => void): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  onState(listener: (state: KernelState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  async execute(request: ExecuteRequest): Promise<ExecuteResult> {
    return this.#end ? endedResult(this.#end) : this.#executions.add(request);
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    const content = { code, cursor_pos: toCodePoints(code, cursor) };
    const { content: reply } = await this.#client().request('shell', 'complete_request', content);
    if (reply.status !== 'ok') return { matches: [], from: cursor, to: cursor, metadata: {} };
    return {
      matches: reply.matches as string[],
      from: toUnits(code, Number(reply.cursor_start)),
      to: toUnits(code, Number(reply.cursor_end)),
      metadata: (reply.metadata ?? {}) as Fields,
    };
  }

  async inspect(code: string, cursor: number, detail: 0 | 1): Promise<Fields | null> {
    const content = { code, cursor_pos: toCodePoints(code, cursor), detail_level: detail };
    const { content: reply } = await this.#client().request('shell', 'inspect_request', content);
    return reply.found === true ? (reply.data as Fields) : null;
  }

  reply(value: string): void {
    this.#client().send('stdin', 'input_reply', { status: 'ok', value });
  }

  async interrupt(): Promise<void> {
    const life = this.#life;
    const execution = await this.#executions.begun();
    if (!life || !execution) return;
    if (this.spec.interruptMode === 'message') {
      await life.client.request('control', 'interrupt_request', {});
      return;
    }
    await life.process.signal('SIGINT');
    // Interrupted before it was in the code, ipykernel drops the request without a reply.
    life.client.ping().then(execution.giveUp, () => {});
    // ipykernel does not hear the signal in the moment between announcing the code and running it.
    for (let again = 0; again < 5 && execution.age < youngMilliseconds; again++) {
      await setTimeout(againMilliseconds);
      if (!execution.isRunning()) return;
      await life.process.signal('SIGINT');
    }
  }

  restart(): Promise<void> {
    return this.#change(async () => {
      const life = this.#life;
      if (!life) throw new Error(this.#end?.message ?? 'The kernel has not started yet');
      this.#life = null;
      this.#become('restarting');
      // Before it is dead: what is asked from now on is for the next life.
      this.#executions.end(endOf({ exitCode: null, signal: null, lastWords: '' }, 'restarted', this.#options.limits));
      await life.end('restarted');
      await this.start();
    });
  }

  stop(): Promise<void> {
    return this.#change(async () => {
      await this.#life?.end('stopped');
    });
  }

  async usage(): Promise<{ memoryBytes: number; cpuSeconds: number; processes: number } | null> {
    if (!this.#life) return null;
    const tree = treeOf(this.#life.pid, sampleProcesses());
    return { memoryBytes: proportionalBytes(tree), cpuSeconds: sum(tree, 'cpuSeconds'), processes: tree.length };
  }

  #change(action: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(action);
    this.#changing = done.catch(() => {});
    return done;
  }

  #client(): KernelClient {
    if (!this.#life) throw new Error(this.#end?.message ?? 'The kernel is starting');
    return this.#life.client;
  }

  #lifeEnded(end: KernelEnd): void {
    if (end.reason !== 'restarted') this.#close(end);
  }

  #close(end: KernelEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#life = null;
    this.#executions.end(end);
    this.#become('ended');
    this.#finish(end);
  }

  #become(state: KernelState): void {
    if (this.#state === state || this.#state === 'ended') return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
