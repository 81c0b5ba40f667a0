import { randomUUID } from 'node:crypto';
import {
  type Completion,
  type ExecuteRequest,
  type ExecuteResult,
  type Fields,
  type Kernel,
  type KernelEnd,
  type KernelMessage,
  type KernelSpec,
  KernelStartError,
  type KernelState,
  type StartOptions,
} from '../port.ts';
import { projectFolder } from './folder.ts';
import type { Frame } from './frames.ts';
import { OUTPUT_BYTES, type PyodideProcess, startProcess } from './process.ts';

export type PyodideKernel = Kernel;

const MESSAGE_TYPES = new Set([
  'stream',
  'execute_input',
  'execute_result',
  'display_data',
  'update_display_data',
  'clear_output',
  'error',
]);
/** How long a loop outside Python's own code, such as one huge power, is given to notice an interrupt. */
const INTERRUPT_MS = 5000;
const START_MS = 120_000;
/** Frames around the text, escapes, file names; a kernel that says more than this does not keep to its own limit. */
const MOST_SAID = 8 * OUTPUT_BYTES;

interface Running {
  request: ExecuteRequest;
  said: number;
  resolve(result: ExecuteResult): void;
}

export async function startPyodideKernel(spec: KernelSpec, options: StartOptions): Promise<PyodideKernel> {
  const folder = projectFolder(options.folder, options.limits);
  const messageListeners = new Set<(message: KernelMessage) => void>();
  const stateListeners = new Set<(state: KernelState) => void>();
  let state: KernelState = 'starting';
  let running: Running | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  /** Executions that were asked for up to this number are aborted. */
  let abortedTo = 0;
  let asked = 0;
  let generation = 0;
  let isWaitingForInput = false;
  let wasInterruptSeen: (() => void) | null = null;
  /** Why we ended the process ourselves. */
  let ours: KernelEnd | null = null;
  let filesWritten: Promise<unknown> = Promise.resolve();
  let filesRefused = 0;
  const questions = new Map<number, (value: unknown) => void>();
  let questionId = 0;
  let finish: (end: KernelEnd) => void = () => undefined;
  const ended = new Promise<KernelEnd>((resolve) => {
    finish = resolve;
  });
  let end: KernelEnd | null = null;
  let child: PyodideProcess;
  let started: (value: KernelEnd | null) => void = () => undefined;

  function say(type: string, content: Fields, metadata: Fields = {}, channel: 'iopub' | 'stdin' = 'iopub'): void {
    const executionId = running?.request.id ?? null;
    for (const listener of messageListeners) listener({ channel, type, content, metadata, buffers: [], executionId });
  }

  function become(next: KernelState): void {
    if (state === next) return;
    state = next;
    for (const listener of stateListeners) listener(next);
  }

  function finishRunning(result: Partial<ExecuteResult> & Pick<ExecuteResult, 'status'>): void {
    const one = running;
    if (!one) return;
    isWaitingForInput = false;
    if (state === 'busy') say('status', { execution_state: 'idle' });
    running = null;
    if (state === 'busy') become('idle');
    one.resolve({ executionCount: null, error: null, userExpressions: {}, end: null, ...result });
  }

  /** Python could have sent any of it by itself, so all of it is checked, and all of it belongs to what is running. */
  function hear({ header, bytes }: Frame): void {
    if (!isFields(header)) throw new Error('Not a message');
    if (running) {
      running.said += JSON.stringify(header).length;
      if (running.said > MOST_SAID) throw new Error('Too much is said');
    }
    const { kind, path } = header;
    if (kind === 'started') started(null);
    else if (kind === 'message' && typeof header.type === 'string' && MESSAGE_TYPES.has(header.type)) {
      if (isFields(header.content) && isFields(header.metadata)) say(header.type, header.content, header.metadata);
    } else if (kind === 'input' && running && running.request.allowsInput !== false) {
      isWaitingForInput = true;
      say('input_request', { prompt: String(header.prompt), password: header.password === true }, {}, 'stdin');
    } else if (kind === 'interrupted') wasInterruptSeen?.();
    else if (typeof path === 'string') keep(kind, path, bytes);
    else if (kind === 'answer' && typeof header.id === 'number') {
      questions.get(header.id)?.(header.value);
      questions.delete(header.id);
    } else if (kind === 'executed' && isFields(header.reply)) {
      const { reply } = header;
      const from = generation;
      // Who is told that it is done finds its files.
      void filesWritten.then(() => {
        if (from === generation) executed(reply);
      });
    }
  }

  function keep(kind: unknown, path: string, bytes: Uint8Array): void {
    const copy = new Uint8Array(bytes);
    filesWritten = filesWritten
      .then(() => {
        if (kind === 'file') return folder.write(path, copy);
        if (kind === 'folder') return folder.makeFolder(path);
        return kind === 'removed' ? folder.remove(path) : true;
      })
      .catch(() => false)
      .then((isDone) => {
        if (!isDone && kind === 'file') filesRefused += 1;
      });
  }

  function executed(reply: Fields): void {
    if (filesRefused > 0) {
      const text = `\n[${filesRefused} files could not be kept: too large, too many, or under a name that is not allowed]\n`;
      say('stream', { name: 'stderr', text });
      filesRefused = 0;
    }
    const isOk = reply.status === 'ok';
    if (!isOk && running?.request.stopsOnError !== false) abortedTo = asked;
    const traceback = Array.isArray(reply.traceback) ? reply.traceback.map(String) : [];
    finishRunning({
      status: isOk ? 'ok' : 'error',
      executionCount: typeof reply.execution_count === 'number' ? reply.execution_count : null,
      error: isOk ? null : { name: String(reply.ename), value: String(reply.evalue), traceback },
      userExpressions: isFields(reply.user_expressions) ? reply.user_expressions : {},
    });
  }

  function endOf(exit: Awaited<PyodideProcess['exit']>): KernelEnd {
    const { code: exitCode, signal } = exit;
    if (ours) return { ...ours, exitCode, signal };
    if (exit.isOutOfMemory) {
      const limit = Math.round(options.limits.memoryBytes / 1024 / 1024);
      return { reason: 'memory', message: `The kernel used more than its ${limit} MB of memory`, exitCode, signal };
    }
    if (signal === null && exitCode !== 70) {
      return { reason: 'exited', message: `The code ended the kernel with exit code ${exitCode}`, exitCode, signal };
    }
    return { reason: 'crashed', message: 'The kernel crashed', exitCode, signal };
  }

  async function launch(): Promise<void> {
    generation += 1;
    ours = null;
    folder.forget();
    const wasReady = new Promise<KernelEnd | null>((resolve) => {
      started = resolve;
    });
    const one = startProcess(options.limits, options.environment, hear);
    child = one;
    const timer = setTimeout(() => one.kill(), START_MS);
    void one.exit.then((exit) => {
      if (child !== one) return;
      const why = endOf(exit);
      for (const answer of questions.values()) answer(null);
      questions.clear();
      wasInterruptSeen?.();
      if (why.reason === 'restarted') {
        finishRunning({ status: 'ended', end: why });
        return;
      }
      end = why;
      started({ ...why, message: exit.words === '' ? why.message : `${why.message}: ${exit.words.slice(0, 500)}` });
      void filesWritten.then(() => {
        become('ended');
        finishRunning({ status: 'ended', end: why });
        finish(why);
      });
    });
    const failure = await wasReady;
    clearTimeout(timer);
    if (failure) throw new KernelStartError({ ...failure, reason: 'failed_to_start' });
    become('idle');
  }

  async function restartBecause(message: string): Promise<void> {
    if (end) return;
    become('restarting');
    ours = { reason: 'restarted', message, exitCode: null, signal: null };
    abortedTo = asked;
    const old = child;
    old.kill();
    await old.exit;
    await filesWritten;
    // Stopped meanwhile.
    if (end) return;
    await launch();
  }

  async function run(request: ExecuteRequest, number: number): Promise<ExecuteResult> {
    const nothing = { executionCount: null, error: null, userExpressions: {} };
    if (end) return { status: 'ended', ...nothing, end };
    if (number <= abortedTo) return { status: 'aborted', ...nothing, end: null };
    const from = generation;
    const { changed, removed } = await folder.changes();
    if (end) return { status: 'ended', ...nothing, end };
    if (from !== generation) return { status: 'aborted', ...nothing, end: null };
    for (const { path, bytes } of changed) child.send({ kind: 'file', path }, bytes);
    for (const path of removed) child.send({ kind: 'remove', path });
    return await new Promise<ExecuteResult>((resolve) => {
      running = { request, said: 0, resolve };
      become('busy');
      say('status', { execution_state: 'busy' });
      child.send({
        kind: 'execute',
        request: {
          code: request.code,
          silent: request.isSilent ?? false,
          store: request.storesHistory ?? true,
          input: request.allowsInput ?? true,
          expressions: request.userExpressions ?? {},
        },
      });
    });
  }

  function question(header: Fields): Promise<unknown> {
    if (end) return Promise.resolve(null);
    questionId += 1;
    const id = questionId;
    return new Promise((resolve) => {
      questions.set(id, resolve);
      child.send({ ...header, id });
    });
  }

  const kernel: PyodideKernel = {
    id: randomUUID(),
    spec,
    sandbox: 'WebAssembly in a process without permissions',
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
      asked += 1;
      const number = asked;
      const result = queue.then(() => run(request, number));
      queue = result.catch(() => undefined);
      return result;
    },
    async complete(code, cursor): Promise<Completion> {
      const value = await question({ kind: 'complete', before: code.slice(0, cursor) });
      const { token, matches } = isFields(value) ? value : {};
      const length = typeof token === 'string' ? token.length : 0;
      const names = Array.isArray(matches) ? matches.filter((match) => typeof match === 'string') : [];
      return { matches: names, from: Math.max(0, cursor - length), to: cursor, metadata: {} };
    },
    async inspect(code, cursor, detail) {
      const value = await question({
        kind: 'inspect',
        before: code.slice(0, cursor),
        after: code.slice(cursor),
        detail,
      });
      return isFields(value) ? value : null;
    },
    reply(value) {
      if (!isWaitingForInput) return;
      isWaitingForInput = false;
      child.answer({ value });
    },
    async interrupt() {
      if (!running || end) return;
      const seen = new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), INTERRUPT_MS);
        wasInterruptSeen = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      const one = running;
      if (isWaitingForInput) {
        isWaitingForInput = false;
        child.answer({});
        wasInterruptSeen?.();
      } else {
        child.countInterrupt();
        child.send({ kind: 'interrupt' });
      }
      const isSeen = await seen;
      wasInterruptSeen = null;
      if (!isSeen && running === one)
        await restartBecause('The code could not be interrupted, so the kernel was restarted');
    },
    restart: () => restartBecause('The kernel was restarted'),
    async stop() {
      ours = { reason: 'stopped', message: 'The kernel was stopped', exitCode: null, signal: null };
      child.kill();
      await ended;
    },
    usage: async () => (end ? null : child.usage()),
  };
  await launch();
  return kernel;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
