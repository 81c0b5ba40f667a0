import { contentOf } from '../execution.ts';
import { subshellsCode } from '../python/helper.ts';
import type { KernelClient } from '../zmq/client.ts';

/** Threads of a kernel in which code runs beside its main one (Jupyter's JEP 91), created on demand. */
export class Subshells {
  readonly #client: KernelClient;
  readonly #free: string[] = [];
  /** Our own subshell, without users' code: from there the others are interrupted. */
  #own: Promise<string> | null = null;

  private constructor(client: KernelClient) {
    this.#client = client;
  }

  /** Null for kernels other than ipykernel, because there is no known way to interrupt code in their threads. */
  static of(client: KernelClient): Subshells | null {
    const { supported_features: features, implementation } = client.info;
    const has = Array.isArray(features) && features.includes('kernel subshells');
    return has && implementation === 'ipython' ? new Subshells(client) : null;
  }

  /** Call it before the first execution that may have another one beside it. */
  async ready(): Promise<string> {
    this.#own ??= this.#prepare();
    return this.#own;
  }

  async take(): Promise<string> {
    await this.ready();
    return this.#free.pop() ?? this.#create();
  }

  give(id: string): void {
    this.#free.push(id);
  }

  async interrupt(id: string): Promise<void> {
    await this.#run(await this.ready(), `__import__('atoll_subshells').interrupt('${id}')`);
  }

  async #prepare(): Promise<string> {
    const id = await this.#create();
    await this.#run(id, subshellsCode);
    return id;
  }

  async #create(): Promise<string> {
    const { content } = await this.#client.ask('create_subshell_request', {}, { channel: 'control' });
    if (typeof content.subshell_id !== 'string') throw new Error('The kernel made no subshell');
    return content.subshell_id;
  }

  /** Allows input, though the code does not ask, because ipykernel has one setting for all running code. */
  async #run(subshell: string, code: string): Promise<void> {
    const request = contentOf({ id: '', code, isSilent: true, allowsInput: true });
    await this.#client.ask('execute_request', request, { subshell });
  }
}
