import { randomUUID } from 'node:crypto';
import {
  type Completion,
  type ExecuteRequest,
  type ExecuteResult,
  type Fields,
  type Kernel,
  type KernelEnd,
  type KernelLimits,
  type KernelSpec,
  KernelStartError,
  type StartOptions,
} from '../port.ts';
import { QueuedKernel } from '../queued-kernel.ts';
import { ending, failedToStart, isFields, restarted, resultOf, sizeText, stopped } from '../results.ts';
import { type ProjectFolder, projectFolder } from './folder.ts';
import { PyodideLife } from './life.ts';
import type { ProcessExit } from './process.ts';

const uninterruptible = ending('restarted', 'The code could not be interrupted, so the kernel was restarted.');

export class PyodideKernel extends QueuedKernel implements Kernel {
  readonly id = randomUUID();
  readonly spec: KernelSpec;
  readonly sandbox = 'WebAssembly in a process without permissions';
  #options: StartOptions;
  readonly #folder: ProjectFolder;
  #life: PyodideLife | null = null;

  constructor(spec: KernelSpec, options: StartOptions) {
    super();
    this.spec = spec;
    this.#options = options;
    this.#folder = projectFolder(options.folder, options.limits);
  }

  async start(): Promise<void> {
    const life = new PyodideLife(this.#options, this.#folder, (message) => {
      if (this.#life === life) this.publish(message);
    });
    this.#life = life;
    void life.exit.then((exit) => {
      // Otherwise we ended it, and the reason has been published.
      if (this.#life === life) this.#finish(endOf(exit, this.#options.limits));
    });
    if (!(await life.ready())) {
      const end = this.end ?? (await this.ended);
      throw new KernelStartError({ ...end, ...failedToStart((await life.exit).words.slice(0, 500) || end.message) });
    }
    if (this.#life === life) this.open();
  }

  protected async run(request: ExecuteRequest): Promise<ExecuteResult> {
    return resultOf(await this.#mustLive().execute(request));
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    const value = await this.#mustLive().ask({ kind: 'complete', before: code.slice(0, cursor) });
    const { token, matches } = isFields(value) ? value : {};
    const length = typeof token === 'string' ? token.length : 0;
    const names = Array.isArray(matches) ? matches.filter((match) => typeof match === 'string') : [];
    return { matches: names, from: Math.max(0, cursor - length), to: cursor, metadata: {} };
  }

  async inspect(code: string, cursor: number, detail: 0 | 1): Promise<Fields | null> {
    const [before, after] = [code.slice(0, cursor), code.slice(cursor)];
    const value = await this.#mustLive().ask({ kind: 'inspect', before, after, detail });
    return isFields(value) ? value : null;
  }

  reply(value: string): void {
    this.#mustLive().reply(value);
  }

  async interrupt(): Promise<void> {
    const life = this.#life;
    if (!life || this.state !== 'busy') return;
    if (!(await life.interrupt()) && this.#life === life) await this.#restartAs(uninterruptible);
  }

  async restart(): Promise<void> {
    this.#mustLive();
    await this.#restartAs(restarted);
  }

  async stop(): Promise<void> {
    const life = this.#life;
    this.#finish(stopped);
    life?.kill();
    await life?.exit;
  }

  async prepare({ environment }: { environment: Record<string, string> }): Promise<boolean> {
    const refusal = await this.#mustLive().ask({ kind: 'prepare', environment });
    if (refusal !== '') throw new Error(`The kernel refused its environment: ${refusal ?? 'it has ended'}`);
    this.#options = { ...this.#options, environment: { ...this.#options.environment, ...environment } };
    return true;
  }

  async usage() {
    return this.#life?.usage() ?? null;
  }

  async #restartAs(why: KernelEnd): Promise<void> {
    const life = this.#mustLive();
    this.#life = null;
    this.drop(why);
    life.kill();
    await life.exit;
    // The kernel was stopped meanwhile, or has started again already.
    if (!this.end && !this.#life) await this.start();
  }

  #finish(end: KernelEnd): void {
    this.#life = null;
    this.close(end);
  }

  #mustLive(): PyodideLife {
    if (!this.#life) throw new Error(this.end?.message ?? 'The kernel is being restarted');
    return this.#life;
  }
}

function endOf({ code: exitCode, signal, isOutOfMemory }: ProcessExit, limits: KernelLimits): KernelEnd {
  if (isOutOfMemory) {
    const limit = sizeText(limits.memoryBytes);
    return { reason: 'memory', message: `The kernel used more than its ${limit} of memory.`, exitCode, signal };
  }
  if (signal === null && exitCode !== 70) {
    return { reason: 'exited', message: `The kernel ended itself with code ${exitCode}.`, exitCode, signal };
  }
  return { reason: 'crashed', message: 'The kernel crashed.', exitCode, signal };
}
