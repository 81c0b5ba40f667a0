/**
 * The process that runs Python. It starts under Node's permission model and then removes everything that Python could
 * reach. The process that started it trusts none of its messages and checks them all.
 */
import fs from 'node:fs';
import { encodeFrame, type Frame, frameReader } from './frames.ts';
import { type FileLimits, type ProjectFiles, projectFiles } from './project-files.ts';
import { freezeLanguage, refuseModules } from './walls.ts';

// 0: commands, 1: messages, 3: answers to input(), 4: a file whose first byte counts interrupts.
const [MESSAGES, ANSWERS, INTERRUPTS] = [1, 3, 4];
const FLUSH_MS = 50;
const STREAM_CHUNK = 64 * 1024;
const { readSync, writeSync, readFileSync, readdirSync } = fs;
const exit: (code: number) => never = (process as Untyped).reallyExit.bind(process);
const { setgroups, setgid, setuid } = process;
const own = process;
const parent = process.ppid;
const now = performance.now.bind(performance);
const after = setTimeout;

interface Start extends FileLimits {
  packageFolder: string;
  library: string | null;
  /** The user to switch to; null where we are not root. */
  user: { uid: number; gid: number } | null;
  packagesFolder: string | null;
  environment: Record<string, string>;
  wasmBytes: number;
  outputBytes: number;
}

// biome-ignore lint/suspicious/noExplicitAny: Pyodide's inner parts have no types
type Untyped = any;

function send(header: unknown, bytes?: Uint8Array): void {
  const frame = encodeFrame(header, bytes);
  for (let at = 0; at < frame.length; ) at += writeSync(MESSAGES, frame, at, frame.length - at);
}

// ── What Python says ──────────────────────────────────────────────────────────────────────────────────────────────────

let pendingName = '';
let pendingText = '';
let flushedAt = 0;
let isFlushPlanned = false;
let outputLeft = 0;
let outputLimit = 0;

function flush(): void {
  if (pendingText === '') return;
  flushedAt = now();
  const content = { name: pendingName, text: pendingText };
  pendingText = '';
  send({ kind: 'message', type: 'stream', content, metadata: {} });
}

function write(name: string, text: string): void {
  if (outputLeft <= 0) return;
  if (name !== pendingName) flush();
  pendingName = name;
  pendingText += text.slice(0, outputLeft);
  outputLeft -= text.length;
  if (outputLeft <= 0) {
    flush();
    pendingName = 'stderr';
    pendingText = `\n[More than ${Math.round(outputLimit / 1024)} KB of output: the rest is left out]\n`;
  }
  if (pendingText.length >= STREAM_CHUNK || (text.endsWith('\n') && now() - flushedAt > FLUSH_MS)) flush();
  else if (!isFlushPlanned) {
    isFlushPlanned = true;
    after(() => {
      isFlushPlanned = false;
      flush();
    }, FLUSH_MS);
  }
}

function emit(type: string, content: string, metadata: string): void {
  flush();
  if (outputLeft <= 0 && type !== 'error') return;
  outputLeft -= content.length;
  if (outputLeft <= 0 && type !== 'error') {
    outputLeft = 1000;
    write('stderr', `\n[An output of ${Math.round(content.length / 1024)} KB is left out: it is too large]\n`);
    outputLeft = 0;
    return;
  }
  send({ kind: 'message', type, content: JSON.parse(content), metadata: JSON.parse(metadata) });
}

const answers = frameReader(1024 * 1024);
/** Blocks the process, as input() must; undefined, Python's None, means an interrupt. */
function ask(prompt: string, password: boolean): string | undefined {
  flush();
  send({ kind: 'input', prompt, password });
  const buffer = new Uint8Array(4096);
  for (;;) {
    const length = readSync(ANSWERS, buffer, 0, buffer.length, null);
    if (length === 0) exit(0);
    for (const { header } of answers(buffer.slice(0, length))) {
      const answer = header as { value?: string; interrupts: number };
      interruptsSeen = answer.interrupts;
      return answer.value;
    }
  }
}

// ── Interrupts: nothing but Python runs during a loop, so Python's own check for signals looks at the file ────────────

const counter = new Uint8Array(1);
let interruptsSeen = 0;
let lookedAt = 0;
let isArmed = false;

function isInterrupted(): boolean {
  readSync(INTERRUPTS, counter, 0, 1, 0);
  if (counter[0] === interruptsSeen) return false;
  interruptsSeen = counter[0] as number;
  send({ kind: 'interrupted' });
  return true;
}

const signals = {
  get 0(): number {
    const time = now();
    if (time - lookedAt < 20) return 0;
    lookedAt = time;
    // During an endless loop nothing else would notice that the parent process has ended.
    if (own.ppid !== parent) exit(0);
    if (time - flushedAt > FLUSH_MS) flush();
    return isArmed && isInterrupted() ? 2 : 0;
  },
  set 0(_: number) {},
};

let python: Untyped;
let files: ProjectFiles;

// ── Packages: asked for by a message, put by the server into a folder that this process may read ──────────────────────

const PACKAGE_NAME = /^(?!\.)[\w.+-]+(?:\/(?!\.)[\w.+-]+)?$/;

/** Python's function to request packages; undefined is Python's None. */
function packagesFor({ packagesFolder, packageFolder }: Start): Untyped {
  if (packagesFolder === null) return undefined;
  const at = (name: string) => {
    if (!PACKAGE_NAME.test(name)) throw new Error('Not a name');
    return `${packagesFolder}/${name}`;
  };
  const attempt = (action: () => Untyped) => {
    try {
      return action();
    } catch (error) {
      // A file that this user may not read would be awaited for ever. Other files may still appear.
      if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
      return undefined;
    }
  };
  const { packages } = JSON.parse(readFileSync(`${packageFolder}/pyodide-lock.json`, 'utf8')) as Untyped;
  const modules = Object.values(packages as Record<string, { imports: string[] }>).flatMap(({ imports }) => imports);
  return {
    modules: JSON.stringify([...new Set(modules.map((name) => name.split('.')[0]))]),
    send: (content: string) => send({ kind: 'packages', content: JSON.parse(content) }),
    read: (name: string) => attempt(() => new Uint8Array(readFileSync(at(name)))),
    list: (name: string) => attempt(() => JSON.stringify(readdirSync(at(name)))),
  };
}

// ── Start ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

let execute: Untyped;
let interrupt: Untyped;
let complete: Untyped;
let look: Untyped;
let prepare: Untyped;

async function start(options: Start): Promise<void> {
  const global = globalThis as Untyped;
  const source = readFileSync(new URL('./kernel.py', import.meta.url), 'utf8');
  outputLimit = options.outputBytes;
  const memory = global.WebAssembly.Memory.prototype;
  const grow = memory.grow;
  memory.grow = function (pages: number) {
    // Emscripten takes the refusal for "no more memory", and Python raises MemoryError.
    if (this.buffer.byteLength + pages * 65_536 > options.wasmBytes) throw new RangeError('Memory limit');
    return grow.call(this, pages);
  };
  // Removes ways to other processes and to more of Node, in case code still holds a reference.
  for (const name of [
    'kill',
    '_kill',
    '_debugProcess',
    '_debugEnd',
    'dlopen',
    'binding',
    '_linkedBinding',
    'getBuiltinModule',
  ]) {
    Object.defineProperty(process, name, { value: undefined });
  }
  // Pyodide must take this for a web worker: then it holds no part of Node that Python could reach through it.
  for (const name of ['process', 'navigator']) delete global[name];
  global.WorkerGlobalScope = class {};
  global.self = new global.WorkerGlobalScope();
  global.location = { href: 'file:///', toString: () => 'file:///' };
  global.load = () => undefined;
  global.read = (path: string) => readFileSync(path, 'utf8');
  global.readbuffer = (path: string) => new Uint8Array(readFileSync(path)).buffer;
  const { loadPyodide } = await import(`${options.packageFolder}/pyodide.mjs`);
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  python = await loadPyodide({
    indexURL: options.packageFolder,
    ...(options.library ? { stdLibURL: options.library } : {}),
    jsglobals: Object.assign(Object.create(null), { ...timers, Object: Object.create(null) }),
    env: { HOME: '/home/user', ...options.environment },
    stdin: () => null,
  });
  // Removes everything except the language itself and the parts that Pyodide uses.
  const kept = new Set(['console', 'performance', 'URL', 'TextEncoder', 'TextDecoder', 'crypto', 'WebAssembly']);
  for (const name of [...Object.keys(timers), 'queueMicrotask', 'setImmediate', 'clearImmediate']) kept.add(name);
  for (const name of ['AbortController', 'AbortSignal', 'Event', 'EventTarget', 'MessageChannel', 'DOMException'])
    kept.add(name);
  for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(global))) {
    const isLanguage = LANGUAGE.has(name);
    if (configurable && !isLanguage && !kept.has(name)) delete global[name];
  }
  for (const name of ['stdout', 'stderr']) {
    const decoder = new TextDecoder();
    const handler = {
      write: (bytes: Uint8Array) => {
        write(name, decoder.decode(bytes, { stream: true }));
        return bytes.length;
      },
    };
    if (name === 'stdout') python.setStdout(handler);
    else python.setStderr(handler);
  }
  // Before any code of users, and after reading all files that perhaps only root can read.
  if (options.user) {
    setgroups?.([]);
    setgid?.(options.user.gid);
    setuid?.(options.user.uid);
  }
  python.setInterruptBuffer(signals);
  files = projectFiles(python, send);
  const make = python.runPython(source, { filename: '<kernel>' });
  const arm = (isOn: boolean) => {
    isArmed = isOn;
    return isOn && isInterrupted();
  };
  const leave = (status: number) => died({ status });
  [execute, interrupt, complete, look, prepare] = make(emit, write, ask, arm, leave, packagesFor(options));
  python._api.on_fatal = died;
  for (const name of ['js', 'pyodide_js']) python.unregisterJsModule(name);
  files.limit(options);
  refuseModules();
  freezeLanguage(LANGUAGE);
}

const LANGUAGE = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer
  Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float32Array Float64Array Float16Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect
  FinalizationRegistry WeakRef decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite
  isNaN SharedArrayBuffer`.split(/\s+/),
);

// ── Commands, one after another ───────────────────────────────────────────────────────────────────────────────────────

type Command =
  | { kind: 'start'; options: Start }
  | { kind: 'file' | 'remove'; path: string }
  | { kind: 'execute'; request: unknown; interrupts: number }
  | { kind: 'complete'; id: number; before: string }
  | { kind: 'inspect'; id: number; before: string; after: string; detail: number }
  | { kind: 'prepare'; id: number; environment: Record<string, string> }
  | { kind: 'interrupt' };

async function obey({ header, bytes }: Frame): Promise<void> {
  const command = header as Command;
  if (command.kind === 'start') {
    await start(command.options);
    send({ kind: 'started' });
  } else if (command.kind === 'file') files.put(command.path, bytes);
  else if (command.kind === 'remove') files.remove(command.path);
  else if (command.kind === 'execute') {
    outputLeft = outputLimit;
    // Interrupts before this execution were not meant for it; those since its request are.
    interruptsSeen = command.interrupts;
    const reply = await execute(JSON.stringify(command.request));
    flush();
    files.sendChanged();
    send({ kind: 'executed', reply: JSON.parse(reply) });
  } else if (command.kind === 'complete')
    send({ kind: 'answer', id: command.id, value: JSON.parse(complete(command.before)) });
  else if (command.kind === 'prepare')
    send({ kind: 'answer', id: command.id, value: prepare(JSON.stringify(command.environment)) });
  else if (command.kind === 'inspect') {
    const value = JSON.parse(look(command.before, command.after, command.detail));
    send({ kind: 'answer', id: command.id, value });
  }
}

function died(error: unknown): never {
  const status = (error as { status?: unknown } | null)?.status;
  try {
    flush();
    files.sendChanged();
  } catch {
    // Python is not able to answer.
  }
  if (typeof status === 'number') exit(status & 255);
  writeSync(2, String((error as Error)?.stack ?? error).slice(0, 10_000));
  exit(70);
}

let queue = Promise.resolve();
const commands = frameReader(2 ** 32);
process.stdin.on('data', (chunk: Uint8Array) => {
  for (const frame of commands(chunk)) {
    // An interrupt is handled out of turn: the running code waits for something, which lets this message be read.
    if ((frame.header as Command).kind === 'interrupt') {
      if (isArmed && isInterrupted()) interrupt();
    } else queue = queue.then(() => obey(frame)).catch(died);
  }
});
process.stdin.on('end', () => exit(0));
process.on('uncaughtException', died);
process.on('unhandledRejection', () => undefined);
