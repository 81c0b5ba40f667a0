import { randomUUID } from 'node:crypto';
import { contentOf, Execution, executionOf, messageIdOf } from '../execution.ts';
import type {
  CommMessage,
  Completion,
  ExecuteRequest,
  ExecuteResult,
  Fields,
  Kernel,
  KernelSpec,
  StartOptions,
} from '../port.ts';
import { KernelStartError } from '../port.ts';
import { QueuedKernel } from '../queued-kernel.ts';
import { restarted } from '../results.ts';
import { toCodePoints, toUnits } from '../wire/cursor.ts';
import type { WireMessage } from '../wire/message.ts';
import type { KernelClient } from '../zmq/client.ts';
import type { InstalledSpec } from './kernelspecs.ts';
import { giveFolder, type Life, type LifeContext, startLife } from './life.ts';
import { proportionalBytes, sampleProcesses, sum, treeOf } from './limits/processes.ts';
import { Subshells } from './subshells.ts';

export class LocalKernel extends QueuedKernel implements Kernel {
  readonly id = randomUUID();
  readonly spec: KernelSpec;
  readonly sandbox: string;
  readonly #context: LifeContext;
  readonly #installed: InstalledSpec;
  #options: StartOptions;
  #life: Life | null = null;
  #subshells: Subshells | null = null;
  /** The running executions, with the subshell of each; null is the main one. */
  readonly #executions = new Map<string, { execution: Execution; subshell: string | null }>();
  /** One restart or stop at a time. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(context: LifeContext, installed: InstalledSpec, options: StartOptions, sandbox: string) {
    super();
    const { name, displayName, language, interruptMode } = installed;
    this.spec = { name, displayName, language, interruptMode };
    this.sandbox = sandbox;
    this.#context = context;
    this.#installed = installed;
    this.#options = options;
  }

  async start(): Promise<void> {
    try {
      const life = await startLife(this.#context, this.#installed, this.#options, (channel, message) =>
        this.#hear(channel, message),
      );
      this.#life = life;
      this.#subshells = Subshells.of(life.client);
      void life.ended.then((end) => {
        for (const { execution } of this.#executions.values()) execution.over();
        this.#executions.clear();
        if (end.reason === 'restarted') return;
        this.#life = null;
        this.close(end);
      });
      this.open();
    } catch (error) {
      if (error instanceof KernelStartError) this.close(error.end);
      throw error;
    }
  }

  override get hasSubshells(): boolean {
    return this.#subshells !== null;
  }

  protected async run(request: ExecuteRequest, isBeside: boolean): Promise<ExecuteResult> {
    const execution = new Execution(request);
    const running = { execution, subshell: null as string | null };
    this.#executions.set(request.id, running);
    const subshells = this.#subshells;
    const sent = async () => {
      if (request.isParallel) {
        const place = isBeside ? subshells?.take() : subshells?.ready().then(() => null);
        // A kernel that creates no more threads runs it in its turn.
        running.subshell = (await place?.catch(() => null)) ?? null;
      }
      const { subshell } = running;
      const id = messageIdOf(request);
      execution.reply(
        (await this.#client().request('shell', 'execute_request', contentOf(request), id, subshell)).content,
      );
    };
    // The kernel has ended, and its end has the reason.
    sent().catch(() => {});
    const result = await execution.result;
    this.#executions.delete(request.id);
    this.#life?.client.mute(messageIdOf(request), null);
    if (running.subshell !== null) subshells?.give(running.subshell);
    return result;
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

  async comm({ type, content, buffers }: CommMessage): Promise<void> {
    this.#client().send('shell', type, content, undefined, buffers);
  }

  reply(value: string): void {
    this.#client().send('stdin', 'input_reply', { status: 'ok', value });
  }

  async interrupt(executionId?: string): Promise<void> {
    const [life, subshells] = [this.#life, this.#subshells];
    if (!life || this.state !== 'busy') return;
    const wanted = [...this.#executions].filter(([id]) => executionId === undefined || id === executionId);
    const each = wanted.map(async ([, running]) => {
      const { execution } = running;
      // A signal reaches the main thread only.
      if (running.subshell !== null) {
        const { subshell } = running;
        await execution.interrupt(
          async () => subshells?.interrupt(subshell),
          () => life.client.ping(subshell),
        );
      } else if (this.spec.interruptMode === 'signal') {
        await execution.interrupt(life.interrupt, () => life.client.ping());
      } else if (await execution.begun()) await life.client.request('control', 'interrupt_request', {});
    });
    await Promise.all(each);
  }

  restart(): Promise<void> {
    return this.#change(async () => {
      const life = this.#life;
      if (!life) throw new Error(this.end?.message ?? 'The kernel has not started yet');
      this.#life = null;
      this.drop(restarted);
      await life.end('restarted');
      await this.start();
    });
  }

  stop(): Promise<void> {
    return this.#change(async () => {
      await this.#life?.end('stopped');
    });
  }

  async prepare({ environment }: { environment: Record<string, string> }): Promise<boolean> {
    if (this.spec.language !== 'python') return false;
    await giveFolder(this.#options.folder, this.#context.user);
    // A JSON string is also a Python string.
    const values = JSON.stringify(JSON.stringify(environment));
    const code = `__import__("os").environ.update(__import__("json").loads(${values}))`;
    const request = contentOf({ id: '', code, isSilent: true });
    const { content } = await this.#client().ask('execute_request', request);
    if (content.status !== 'ok') throw new Error(`The kernel refused its environment: ${content.ename}`);
    this.#options = { ...this.#options, environment: { ...this.#options.environment, ...environment } };
    return true;
  }

  mute(executionId: string, onLeftOut: (bytes: number) => void): void {
    this.#life?.client.mute(messageIdOf({ id: executionId }), onLeftOut);
  }

  hold(isHeld: boolean): void {
    this.#life?.hold(isHeld);
  }

  get lastHeartbeat(): number | null {
    return this.#life?.heartbeat.last ?? null;
  }

  async usage(): Promise<{ memoryBytes: number; cpuSeconds: number; processes: number } | null> {
    // Only Linux has /proc.
    if (!this.#life || process.platform !== 'linux') return null;
    const tree = treeOf(this.#life.pid, sampleProcesses());
    return { memoryBytes: proportionalBytes(tree), cpuSeconds: sum(tree, 'cpuSeconds'), processes: tree.length };
  }

  #change(action: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(action);
    this.#changing = done.catch(() => {});
    return done;
  }

  #client(): KernelClient {
    if (!this.#life) throw new Error(this.end?.message ?? 'The kernel is starting');
    return this.#life.client;
  }

  #hear(channel: 'iopub' | 'stdin', message: WireMessage): void {
    const { header, parent, content, metadata, buffers } = message;
    this.publish({ channel, type: header.msg_type, content, metadata, buffers, executionId: executionOf(parent) });
    const id = executionOf(parent);
    if (channel === 'iopub' && id) this.#executions.get(id)?.execution.hear(parent, header.msg_type, content);
  }
}
