import { createHmac, randomUUID } from 'node:crypto';
import { Dealer, Subscriber } from 'zeromq';

export interface KernelAddress {
  key: string;
  /** In front of the numbers of its sockets. */
  prefix: string;
}

/** The least that can run code by a kernel: signs what it sends, believes what it gets, throws everything away. */
export class BareClient {
  readonly #key: string;
  readonly #session = randomUUID();
  readonly #shell = new Dealer({ linger: 0, routingId: this.#session, reconnectInterval: 20 });
  readonly #iopub = new Subscriber({ linger: 0, receiveHighWaterMark: 0, reconnectInterval: 20 });
  readonly #replied = new Map<string, () => void>();
  readonly #idle = new Map<string, () => void>();
  #isHeard = false;

  constructor({ key, prefix }: KernelAddress) {
    this.#key = key;
    this.#shell.connect(`ipc://${prefix}-1`);
    this.#iopub.subscribe();
    this.#iopub.connect(`ipc://${prefix}-2`);
    void this.#readShell();
    void this.#readIopub();
  }

  async ready(): Promise<void> {
    while (!this.#isHeard) {
      await this.#ask('kernel_info_request', {}, false);
      if (!this.#isHeard) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Until both its reply and its idle have come. */
  execute(code: string): Promise<void> {
    const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false };
    return this.#ask('execute_request', content, true);
  }

  close(): void {
    this.#shell.close();
    this.#iopub.close();
  }

  async #ask(type: string, content: object, untilIdle: boolean): Promise<void> {
    const id = randomUUID();
    // The kernel reads the date and sends it back with each message, which takes it a quarter of a millisecond.
    const date = new Date().toISOString();
    const header = { msg_id: id, msg_type: type, session: this.#session, username: 'bench', date, version: '5.3' };
    const parts = [header, {}, {}, content].map((part) => JSON.stringify(part));
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(part);
    const reply = new Promise<void>((resolve) => this.#replied.set(id, resolve));
    const idle = untilIdle ? new Promise<void>((resolve) => this.#idle.set(id, resolve)) : null;
    await this.#shell.send(['<IDS|MSG>', hmac.digest('hex'), ...parts]);
    await Promise.all([reply, idle]);
    this.#replied.delete(id);
    this.#idle.delete(id);
  }

  async #readShell(): Promise<void> {
    for await (const frames of this.#shell) this.#replied.get(parentIn(frames))?.();
  }

  async #readIopub(): Promise<void> {
    for await (const frames of this.#iopub) {
      this.#isHeard = true;
      const start = frames.length - 6;
      if (!frames[start + 2]?.includes('"status"')) continue;
      if (frames.at(-1)?.includes('"idle"')) this.#idle.get(parentIn(frames))?.();
    }
  }
}

const parentIn = (frames: Buffer[]) =>
  (JSON.parse(frames[frames.length - 3]?.toString() ?? '{}') as { msg_id?: string }).msg_id ?? '';
