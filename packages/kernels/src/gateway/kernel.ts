import {
  type Kernel as Jupyter,
  type KernelMessage as JupyterMessage,
  KernelAPI,
  type ServerConnection,
} from '@jupyterlab/services';
import type { ExecuteResult, Fields, Kernel, KernelEnd, KernelMessage, KernelSpec, KernelState } from '../port.ts';

type Connection = Jupyter.IKernelConnection;

interface Running {
  id: string;
  resolve(result: ExecuteResult): void;
}

export async function gatewayKernel(
  spec: KernelSpec,
  connection: Connection,
  settings: ServerConnection.ISettings,
  lostAfterMs: number,
): Promise<Kernel> {
  const messageListeners = new Set<(message: KernelMessage) => void>();
  const stateListeners = new Set<(state: KernelState) => void>();
  const running = new Set<Running>();
  const futures = new Set<string>();
  let state: KernelState = 'starting';
  let end: KernelEnd | null = null;
  let lossTimer: NodeJS.Timeout | undefined;
  let question: JupyterMessage.IInputRequestMsg['header'] | null = null;
  let finish: (end: KernelEnd) => void = () => undefined;
  const ended = new Promise<KernelEnd>((resolve) => {
    finish = resolve;
  });

  function become(next: KernelState): void {
    if (state === next || state === 'ended') return;
    state = next;
    for (const listener of stateListeners) listener(next);
  }

  function say(executionId: string | null, channel: 'iopub' | 'stdin', message: JupyterMessage.IMessage): void {
    const told: KernelMessage = {
      channel,
      type: message.header.msg_type,
      content: message.content as unknown as Fields,
      metadata: message.metadata as Fields,
      buffers: (message.buffers ?? []).map((part) =>
        part instanceof ArrayBuffer
          ? new Uint8Array(part)
          : new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
      ),
      executionId,
    };
    for (const listener of messageListeners) listener(told);
  }

  const because = (reason: KernelEnd['reason'], message: string): KernelEnd => ({
    reason,
    message,
    exitCode: null,
    signal: null,
  });

  function drop(why: KernelEnd): void {
    for (const one of running) {
      one.resolve({ status: 'ended', executionCount: null, error: null, userExpressions: {}, end: why });
    }
    running.clear();
  }

  function endWith(why: KernelEnd): void {
    if (end) return;
    end = why;
    clearTimeout(lossTimer);
    become('ended');
    drop(why);
    finish(why);
    connection.dispose();
  }

  connection.statusChanged.connect((_, status) => {
    if (status === 'busy' || status === 'idle') become(status);
    else if (status === 'restarting') become('restarting');
    else if (status === 'autorestarting') {
      // The gateway does it when the process has died by itself.
      become('restarting');
      drop(because('crashed', 'The kernel died and was started again'));
    } else if (status === 'dead') endWith(because('crashed', 'The kernel has died'));
  });
  const lose = () => endWith(because('lost', 'The connection to the kernel was lost'));
  // Each attempt to connect again is told; the time counts from the first.
  connection.connectionStatusChanged.connect((_, status) => {
    if (status === 'disconnected') lose();
    else if (status === 'connecting' && !end) lossTimer ??= setTimeout(lose, lostAfterMs);
    if (status === 'connecting') return;
    clearTimeout(lossTimer);
    lossTimer = undefined;
  });
  connection.iopubMessage.connect((_, message) => {
    // What belongs to an execution comes by its future, in order with its reply.
    const { msg_id: parent } = message.parent_header as { msg_id?: string };
    if (parent === undefined || !futures.has(parent)) say(null, 'iopub', message);
  });

  const info = connection.info.then(() => null);
  const failure = await Promise.race([info, ended]);
  if (failure) throw new Error(failure.message);
  become('idle');

  return {
    id: connection.id,
    spec,
    sandbox: `the gateway at ${new URL(settings.baseUrl).host}`,
    ended,
    get state() {
      return state;
    },
    onMessage(listener) {
      messageListeners.add(listener);
      return () => messageListeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    execute(request) {
      const nothing = { executionCount: null, error: null, userExpressions: {} };
      if (end) return Promise.resolve({ status: 'ended', ...nothing, end });
      return new Promise<ExecuteResult>((resolve) => {
        const one: Running = { id: request.id, resolve };
        running.add(one);
        const future = connection.requestExecute(
          {
            code: request.code,
            silent: request.isSilent ?? false,
            store_history: request.storesHistory ?? true,
            allow_stdin: request.allowsInput ?? true,
            stop_on_error: request.stopsOnError ?? true,
            user_expressions: request.userExpressions ?? {},
          },
          false,
        );
        futures.add(future.msg.header.msg_id);
        future.onIOPub = (message) => say(request.id, 'iopub', message);
        future.onStdin = (message) => {
          question = (message as JupyterMessage.IInputRequestMsg).header;
          say(request.id, 'stdin', message);
        };
        future.done.then(
          (reply) => {
            if (!running.delete(one)) return;
            const { content } = reply as JupyterMessage.IExecuteReplyMsg;
            const executionCount = content.execution_count ?? null;
            if (content.status === 'ok') {
              const userExpressions = content.user_expressions as unknown as Fields;
              resolve({ ...nothing, status: 'ok', executionCount, userExpressions, end: null });
            } else if (content.status === 'error') {
              const error = { name: content.ename, value: content.evalue, traceback: content.traceback };
              resolve({ ...nothing, status: 'error', executionCount, error, end: null });
            } else resolve({ ...nothing, status: 'aborted', executionCount, end: null });
          },
          () => {
            // Thrown away with the connection's state, when the kernel restarts.
            if (running.delete(one)) {
              resolve({ status: 'ended', ...nothing, end: end ?? because('restarted', 'The kernel was restarted') });
            }
          },
        );
      });
    },
    async complete(code, cursor) {
      // The protocol counts code points.
      const { content } = await connection.requestComplete({ code, cursor_pos: [...code.slice(0, cursor)].length });
      if (content.status !== 'ok') return { matches: [], from: cursor, to: cursor, metadata: {} };
      const points = [...code];
      const units = (count: number) => points.slice(0, count).join('').length;
      const metadata = content.metadata as Fields;
      return { matches: content.matches, from: units(content.cursor_start), to: units(content.cursor_end), metadata };
    },
    async inspect(code, cursor, detail) {
      const position = [...code.slice(0, cursor)].length;
      const { content } = await connection.requestInspect({ code, cursor_pos: position, detail_level: detail });
      return content.status === 'ok' && content.found ? (content.data as unknown as Fields) : null;
    },
    reply(value) {
      if (end || !question) return;
      connection.sendInputReply({ status: 'ok', value }, question);
      question = null;
    },
    async interrupt() {
      if (!end) await connection.interrupt();
    },
    async restart() {
      if (end) return;
      become('restarting');
      drop(because('restarted', 'The kernel was restarted'));
      await connection.restart();
      await connection.info;
      become('idle');
    },
    async stop() {
      if (end) return;
      endWith(because('stopped', 'The kernel was stopped'));
      await KernelAPI.shutdownKernel(connection.id, settings).catch(() => undefined);
    },
    usage: async () => null,
  };
}
