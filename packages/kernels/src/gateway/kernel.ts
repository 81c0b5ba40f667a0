import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Kernel as Jupyter,
  type KernelMessage as JupyterMessage,
  KernelAPI,
  KernelMessage as Messages,
  type ServerConnection,
} from '@jupyterlab/services';
import { contentOf, Execution, executionOf, messageIdOf } from '../execution.ts';
import type {
  Completion,
  ExecuteRequest,
  ExecuteResult,
  Fields,
  Kernel,
  KernelEnd,
  KernelSpec,
  StartOptions,
} from '../port.ts';
import { QueuedKernel } from '../queued-kernel.ts';
import { ending, restarted, stopped } from '../results.ts';
import { toCodePoints, toUnits } from '../wire/cursor.ts';
import { RemoteFolder } from './remote-folder.ts';

/** Marks our own requests, whose messages are not published. */
const ownMark = 'own:';
const lookMs = 1_000;
/** The last fetch begun while code ran is awaited for so long: its answer may be lost with a connection. */
const lastLookMs = 30_000;
/** Fetching takes at most this share of the time in which code runs. */
const lookingShare = 0.2;

export class GatewayKernel extends QueuedKernel implements Kernel {
  readonly id: string;
  readonly spec: KernelSpec;
  readonly sandbox: string;
  readonly #connection: Jupyter.IKernelConnection;
  readonly #settings: ServerConnection.ISettings;
  /** Null where the kernel cannot be asked to write files, because it runs another language. */
  readonly #files: RemoteFolder | null;
  #execution: Execution | null = null;
  #question: JupyterMessage.IInputRequestMsg['header'] | null = null;
  #lossTimer: NodeJS.Timeout | undefined;
  /** The subshell for requests beside running code. Null where the kernel has none. */
  #subshell: Promise<string | null> | undefined;
  #following: AbortController | null = null;
  #hasToldOfFiles = false;

  constructor(
    spec: KernelSpec,
    connection: Jupyter.IKernelConnection,
    settings: ServerConnection.ISettings,
    { lostAfterMs, ...options }: StartOptions & { lostAfterMs: number },
  ) {
    super();
    this.id = connection.id;
    this.spec = spec;
    this.sandbox = `the gateway at ${new URL(settings.baseUrl).host}`;
    this.#connection = connection;
    this.#settings = settings;
    this.#files =
      spec.language === 'python' ? new RemoteFolder(options, (code, expression) => this.#ask(code, expression)) : null;
    connection.statusChanged.connect((_, status) => this.#statusIs(status));
    const lose = () => this.#finish(ending('lost', 'The connection to the kernel was lost.'));
    // Each reconnection attempt is an event; the time counts from the first.
    connection.connectionStatusChanged.connect((_, status) => {
      if (status === 'disconnected') lose();
      else if (status === 'connecting' && !this.end) this.#lossTimer ??= setTimeout(lose, lostAfterMs);
      if (status === 'connecting') return;
      clearTimeout(this.#lossTimer);
      this.#lossTimer = undefined;
    });
    connection.iopubMessage.connect((_, message) => {
      if (String(parentOf(message).msg_id).startsWith(ownMark)) return this.#hearBeside(message);
      this.#say('iopub', message);
      this.#execution?.hear(parentOf(message), message.header.msg_type, fieldsOf(message));
    });
  }

  async start(): Promise<void> {
    const failure = await Promise.race([this.#connection.info.then(() => null), this.ended]);
    if (failure) throw new Error(failure.message);
    this.open();
  }

  protected async run(request: ExecuteRequest): Promise<ExecuteResult> {
    const execution = new Execution(request);
    this.#execution = execution;
    const files = request.isSilent ? null : this.#files;
    await files?.bring().catch(() => this.#warn(request, 'Not all of the project’s files reached the kernel.'));
    // The kernel was restarted meanwhile, and the caller has the result.
    if (execution.isOver) return execution.result;
    if (!request.isSilent && !files && !this.#hasToldOfFiles) {
      this.#hasToldOfFiles = true;
      this.#warn(request, `The project’s files do not reach a kernel for ${this.spec.language} on another server.`);
    }
    const over = new AbortController();
    this.#following = over;
    const following = files && this.#follow(request, files, over.signal);
    const result = await this.#send(request, execution);
    over.abort();
    await Promise.race([following, wait(lastLookMs, null, { ref: false })]);
    if (files && !this.end) {
      const notices = await files.fetch().catch(() => ['What the code wrote could not be fetched.']);
      for (const notice of notices) this.#warn(request, notice);
    }
    return result;
  }

  /** Fetches files that the code writes while it runs, where the kernel has a subshell. */
  async #follow(request: ExecuteRequest, files: RemoteFolder, signal: AbortSignal): Promise<void> {
    const pause = (ms: number) => wait(ms, null, { signal }).catch(() => null);
    for (await pause(lookMs); !signal.aborted; ) {
      this.#subshell ??= this.#makeSubshell();
      const subshell = await this.#subshell;
      if (subshell === null || signal.aborted) return;
      const begun = performance.now();
      // Files that could not be fetched now are tried again at the end, with a notice if they fail.
      const notices = await files
        .fetch((code, expression) =>
          this.#ask(code, expression, { subshell, allowsInput: request.allowsInput ?? false }),
        )
        .catch(() => []);
      for (const notice of notices) this.#warn(request, notice);
      await pause(Math.max(lookMs, (performance.now() - begun) / lookingShare));
    }
  }

  async #makeSubshell(): Promise<string | null> {
    try {
      if (!this.#connection.supportsSubshells) return null;
      return (await this.#connection.requestCreateSubshell({}).done)?.content.subshell_id ?? null;
    } catch {
      return null;
    }
  }

  #send(request: ExecuteRequest, execution: Execution): Promise<ExecuteResult> {
    const { clientId: session, username } = this.#connection;
    const message = Messages.createMessage<JupyterMessage.IExecuteRequestMsg>({
      msgType: 'execute_request',
      channel: 'shell',
      msgId: messageIdOf(request),
      session,
      username,
      content: contentOf(request),
    });
    const future = this.#connection.sendShellMessage(message, true, true);
    future.onReply = (reply) => execution.reply(fieldsOf(reply));
    future.onStdin = (question) => {
      this.#question = (question as JupyterMessage.IInputRequestMsg).header;
      this.#say('stdin', question);
    };
    // The future is dropped with the connection's state when the kernel restarts; the execution has ended by then.
    future.done.catch(() => undefined);
    return execution.result;
  }

  #warn(request: ExecuteRequest, text: string): void {
    const content = { name: 'stderr', text: `${text}\n` };
    this.publish({ channel: 'iopub', type: 'stream', content, metadata: {}, buffers: [], executionId: request.id });
  }

  /**
   * Runs our request, perhaps in a subshell beside running code: then with its `allowsInput`, because ipykernel has one for
   * all.
   */
  async #ask(code: string, expression?: string, beside?: { subshell: string; allowsInput: boolean }): Promise<Buffer> {
    const { clientId: session, username } = this.#connection;
    const userExpressions: Record<string, string> = expression === undefined ? {} : { asked: expression };
    const message = Messages.createMessage<JupyterMessage.IExecuteRequestMsg>({
      msgType: 'execute_request',
      channel: 'shell',
      msgId: ownMark + randomUUID(),
      session,
      username,
      content: contentOf({ id: '', code, isSilent: true, userExpressions, allowsInput: beside?.allowsInput ?? false }),
    });
    if (beside) message.header.subshell_id = beside.subshell;
    const { content } = (await this.#connection.sendShellMessage(message, true, true).done) ?? {};
    if ((content as { status?: string } | undefined)?.status !== 'ok') throw new Error('The kernel did not do it');
    if (expression === undefined) return Buffer.alloc(0);
    const { asked } = (content as unknown as { user_expressions: Record<string, Fields> }).user_expressions;
    const shown = (asked?.data as Fields | undefined)?.['text/plain'];
    if (asked?.status !== 'ok' || typeof shown !== 'string') throw new Error('The kernel did not answer');
    return Buffer.from(shown.slice(1, -1), 'base64');
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    this.#mustLive();
    const { content } = await this.#connection.requestComplete({ code, cursor_pos: toCodePoints(code, cursor) });
    if (content.status !== 'ok') return { matches: [], from: cursor, to: cursor, metadata: {} };
    const [from, to] = [toUnits(code, content.cursor_start), toUnits(code, content.cursor_end)];
    return { matches: content.matches, from, to, metadata: content.metadata as Fields };
  }

  async inspect(code: string, cursor: number, detail: 0 | 1): Promise<Fields | null> {
    this.#mustLive();
    const cursor_pos = toCodePoints(code, cursor);
    const { content } = await this.#connection.requestInspect({ code, cursor_pos, detail_level: detail });
    return content.status === 'ok' && content.found ? (content.data as unknown as Fields) : null;
  }

  reply(value: string): void {
    if (this.end || !this.#question) return;
    this.#connection.sendInputReply({ status: 'ok', value }, this.#question);
    this.#question = null;
  }

  async interrupt(): Promise<void> {
    if (this.state !== 'busy') return;
    await this.#execution?.interrupt(
      () => this.#connection.interrupt(),
      async () => {
        await this.#connection.requestKernelInfo();
      },
    );
  }

  async restart(): Promise<void> {
    this.#mustLive();
    this.#execution?.over();
    this.#forget();
    this.drop(restarted);
    await this.#connection.restart();
    await this.#connection.info;
    this.open();
  }

  async stop(): Promise<void> {
    if (this.end) return;
    this.#finish(stopped);
    await KernelAPI.shutdownKernel(this.id, this.#settings).catch(() => undefined);
  }

  async usage() {
    return null;
  }

  /** Resets the state for a new kernel on the server. */
  #forget(): void {
    this.#following?.abort();
    this.#files?.forget();
    this.#subshell = undefined;
    this.#hasToldOfFiles = false;
  }

  #mustLive(): void {
    if (this.end) throw new Error(this.end.message);
  }

  #statusIs(status: Jupyter.Status): void {
    if (status === 'dead') this.#finish(ending('crashed', 'The kernel has died.'));
    else if (status === 'autorestarting') {
      // The gateway restarts a process that died by itself.
      this.#execution?.over();
      this.#forget();
      this.drop(ending('crashed', 'The kernel died and was started again.'));
      void this.#connection.info.then(() => this.open());
    }
  }

  #finish(end: KernelEnd): void {
    if (this.end) return;
    clearTimeout(this.#lossTimer);
    this.#following?.abort();
    this.#execution?.over();
    this.close(end);
    this.#connection.dispose();
  }

  /**
   * Our request prints nothing: the output is from threads and child processes, which ipykernel credits to the newest
   * request.
   */
  #hearBeside(message: JupyterMessage.IMessage): void {
    if (['status', 'execute_input'].includes(message.header.msg_type)) return;
    this.#say('iopub', message, this.#execution?.isOver === false ? this.#execution.id : null);
  }

  #say(
    channel: 'iopub' | 'stdin',
    message: JupyterMessage.IMessage,
    executionId: string | null = executionOf(parentOf(message)),
  ): void {
    this.publish({
      channel,
      type: message.header.msg_type,
      content: fieldsOf(message),
      metadata: message.metadata as Fields,
      buffers: (message.buffers ?? []).map((part) =>
        part instanceof ArrayBuffer
          ? new Uint8Array(part)
          : new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
      ),
      executionId,
    });
  }
}

const parentOf = (message: JupyterMessage.IMessage) => message.parent_header as unknown as Fields;
const fieldsOf = (message: JupyterMessage.IMessage) => message.content as unknown as Fields;
