import type { ExecuteRequest, Fields, KernelMessage, StartOptions } from '../port.ts';
import { isFields } from '../results.ts';
import type { ProjectFolder } from './folder.ts';
import type { Frame } from './frames.ts';
import { OUTPUT_BYTES, type ProcessExit, type PyodideProcess, startProcess } from './process.ts';

const MESSAGE_TYPES = new Set([
  'stream',
  'execute_input',
  'execute_result',
  'display_data',
  'update_display_data',
  'clear_output',
  'error',
]);
/** The time for a loop outside Python's own code, such as one huge power, to notice an interrupt. */
const INTERRUPT_MS = 5000;
const START_MS = 120_000;
/** Includes frames, escapes and file names; a kernel that sends more than this does not respect its own limit. */
const MOST_SAID = 8 * OUTPUT_BYTES;

interface Running {
  request: ExecuteRequest;
  said: number;
  sent: PromiseWithResolvers<void>;
  reply: PromiseWithResolvers<Fields>;
}

/** A kernel's process from its start to its end; a restart begins the next life of the same kernel. */
export class PyodideLife {
  readonly #process: PyodideProcess;
  readonly #folder: ProjectFolder;
  readonly #publish: (message: KernelMessage) => void;
  readonly #started = Promise.withResolvers<void>();
  readonly #questions = new Map<number, (value: unknown) => void>();
  #questionId = 0;
  #running: Running | null = null;
  #isWaitingForInput = false;
  #onInterruptSeen: (() => void) | null = null;
  #filesWritten: Promise<unknown> = Promise.resolve();
  #filesRefused = 0;
  /** Resolves after the last of its files has been written. */
  readonly exit: Promise<ProcessExit>;

  constructor(
    { limits, environment, packagesFolder = null }: StartOptions,
    folder: ProjectFolder,
    publish: (message: KernelMessage) => void,
  ) {
    this.#folder = folder;
    this.#publish = publish;
    folder.forget();
    this.#process = startProcess(limits, environment, packagesFolder, (frame) => this.#hear(frame));
    this.exit = this.#process.exit.then(async (exit) => {
      for (const answer of this.#questions.values()) answer(null);
      await this.#filesWritten;
      return exit;
    });
  }

  /** Returns false when it ended instead. */
  async ready(): Promise<boolean> {
    const timer = setTimeout(() => this.kill(), START_MS);
    const isReady = await Promise.race([this.#started.promise.then(() => true), this.exit.then(() => false)]);
    clearTimeout(timer);
    return isReady;
  }

  /** Resolves with the reply, and never when the process ends first. */
  async execute(request: ExecuteRequest): Promise<Fields> {
    const running = { request, said: 0, sent: Promise.withResolvers<void>(), reply: Promise.withResolvers<Fields>() };
    this.#running = running;
    this.#say('status', { execution_state: 'busy' });
    const { changed, removed } = await this.#folder.changes();
    for (const { path, bytes } of changed) this.#process.send({ kind: 'file', path }, bytes);
    for (const path of removed) this.#process.send({ kind: 'remove', path });
    this.#process.send({
      kind: 'execute',
      interrupts: this.#process.interrupts(),
      request: {
        code: request.code,
        silent: request.isSilent ?? false,
        store: request.storesHistory ?? true,
        input: request.allowsInput ?? false,
        expressions: request.userExpressions ?? {},
      },
    });
    running.sent.resolve();
    const reply = await running.reply.promise;
    // A caller that gets the reply must find the files.
    await this.#filesWritten;
    if (this.#filesRefused > 0) {
      const text = `\n[${this.#filesRefused} files could not be kept: too large, too many, or under a name that is not allowed]\n`;
      this.#say('stream', { name: 'stderr', text });
      this.#filesRefused = 0;
    }
    this.#say('status', { execution_state: 'idle' });
    this.#running = null;
    return reply;
  }

  /** Null when it ends before it answers. */
  ask(header: Fields): Promise<unknown> {
    this.#questionId += 1;
    const id = this.#questionId;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.#process.send({ ...header, id });
    });
  }

  reply(value: string): void {
    if (this.#isWaitingForInput) this.#answer({ value });
  }

  /** False when the running code does not notice. */
  async interrupt(): Promise<boolean> {
    const running = this.#running;
    if (!running) return true;
    await Promise.race([running.sent.promise, this.exit]);
    if (this.#running !== running) return true;
    const { promise: seen, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, INTERRUPT_MS, false);
    this.#onInterruptSeen = () => resolve(true);
    this.#process.countInterrupt();
    if (this.#isWaitingForInput) this.#answer({});
    else this.#process.send({ kind: 'interrupt' });
    const isOver = Promise.race([running.reply.promise, this.exit]).then(() => true);
    const isSeen = await Promise.race([seen, isOver]);
    clearTimeout(timer);
    this.#onInterruptSeen = null;
    return isSeen;
  }

  kill(): void {
    this.#process.kill();
  }

  usage() {
    return this.#process.usage();
  }

  #answer(header: { value?: string }): void {
    this.#isWaitingForInput = false;
    // This answer has already interrupted it.
    if (header.value === undefined) this.#onInterruptSeen?.();
    this.#process.answer({ ...header, interrupts: this.#process.interrupts() });
  }

  #say(type: string, content: Fields, metadata: Fields = {}, channel: 'iopub' | 'stdin' = 'iopub'): void {
    const executionId = this.#running?.request.id ?? null;
    this.#publish({ channel, type, content, metadata, buffers: [], executionId });
  }

  /** Python could have sent any message by itself, so each is checked and counts for the running execution. */
  #hear({ header, bytes }: Frame): void {
    if (!isFields(header)) throw new Error('Not a message');
    const running = this.#running;
    if (running) {
      running.said += JSON.stringify(header).length;
      if (running.said > MOST_SAID) throw new Error('Too much is said');
    }
    const { kind, path } = header;
    if (kind === 'started') this.#started.resolve();
    else if (kind === 'message' && typeof header.type === 'string' && MESSAGE_TYPES.has(header.type)) {
      if (isFields(header.content) && isFields(header.metadata)) {
        this.#say(header.type, header.content, header.metadata);
      }
    } else if (kind === 'input' && running?.request.allowsInput) {
      this.#isWaitingForInput = true;
      if (this.#onInterruptSeen) this.#answer({});
      else
        this.#say('input_request', { prompt: String(header.prompt), password: header.password === true }, {}, 'stdin');
    } else if (kind === 'packages' && isFields(header.content)) this.#say('atoll_packages', header.content);
    else if (kind === 'interrupted') this.#onInterruptSeen?.();
    else if (typeof path === 'string') this.#keep(kind, path, bytes);
    else if (kind === 'answer' && typeof header.id === 'number') {
      this.#questions.get(header.id)?.(header.value);
      this.#questions.delete(header.id);
    } else if (kind === 'executed' && isFields(header.reply)) running?.reply.resolve(header.reply);
  }

  #keep(kind: unknown, path: string, bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    this.#filesWritten = this.#filesWritten
      .then(() => {
        if (kind === 'file') return this.#folder.write(path, copy);
        if (kind === 'folder') return this.#folder.makeFolder(path);
        return kind === 'removed' ? this.#folder.remove(path) : true;
      })
      .catch(() => false)
      .then((isDone) => {
        if (!isDone && kind === 'file') this.#filesRefused += 1;
      });
  }
}
