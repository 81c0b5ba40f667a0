import type { ExecuteResult, KernelMessage } from '../port.ts';
import { sizeText } from '../results.ts';
import type { HostEvent } from './types.ts';

/** Far below the limit of a frame, because a frame that is too large would end everyone's kernels. */
const largest = 64 * 1024 ** 2;
/** Code that stores or masks a value walks through it recursively. */
const deepest = 200;
/** The depth reserved for the event that contains the value. */
const around = 5;

/** The approximate size in characters and bytes, to find large ones. Infinite when it is nested too deeply. */
export function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (depth > deepest) return Number.POSITIVE_INFINITY;
  let size = 8;
  if (Array.isArray(value)) for (const each of value) size += sizeOf(each, depth + 1);
  else for (const [name, each] of Object.entries(value)) size += name.length + sizeOf(each, depth + 1);
  return size;
}

/** With two bytes for each character, as V8 writes a text in which a single one needs them. */
const frameBytes = (message: KernelMessage) =>
  2 * sizeOf([message.content, message.metadata], around) + sizeOf(message.buffers);

/** Makes a message that can be sent, walked through and stored; one that cannot is replaced by a note. */
export function presentable(message: KernelMessage): KernelMessage {
  if (frameBytes(message) <= largest) {
    const { content, metadata } = message;
    return isWellFormed([content, metadata])
      ? message
      : { ...message, content: wellFormed(content), metadata: wellFormed(metadata) };
  }
  const note = `${whyLeftOut(sizeOf([message.content, message.metadata, message.buffers], around))}\n`;
  const left = { ...message, metadata: {}, buffers: [] };
  // The kernel waits for an answer, even if its question is left out.
  if (message.channel === 'stdin') {
    return { ...left, content: { prompt: note, password: message.content.password === true } };
  }
  return { ...left, type: 'stream', content: { name: 'stderr', text: note } };
}

/** Short pieces let the server do other work while it stores a text. */
const pieceLength = 64 * 1024;

/** Splits a long text into pieces, after a line where possible: a text is never too large, only other content is. */
export function piecesOf(message: KernelMessage): KernelMessage[] {
  const { name, text } = message.content;
  if (message.type !== 'stream' || typeof text !== 'string' || text.length <= pieceLength)
    return [presentable(message)];
  const pieces: KernelMessage[] = [];
  for (let from = 0; from < text.length; ) {
    const to = cutAt(text, from);
    const content = { name: name ?? 'stdout', text: text.slice(from, to) };
    pieces.push(presentable({ ...message, content, metadata: {}, buffers: [] }));
    from = to;
  }
  return pieces;
}

function cutAt(text: string, from: number): number {
  const most = from + pieceLength;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > from) return line;
  // Do not split a surrogate pair.
  return /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most;
}

export function presentableResult(result: ExecuteResult): ExecuteResult {
  const size = sizeOf(result, around);
  if (2 * size <= largest) return isWellFormed(result) ? result : wellFormed(result);
  const error = result.error && {
    name: result.error.name.slice(0, 200).toWellFormed(),
    value: whyLeftOut(size),
    traceback: [],
  };
  return { ...result, error, userExpressions: {} };
}

const whyLeftOut = (size: number) =>
  size === Number.POSITIVE_INFINITY
    ? 'An output was left out: it is nested too deeply.'
    : `An output of ${sizeText(size)} was left out: it is too large.`;

/** Reading a frame blocks the server, so frames are short. */
const frameLength = 512 * 1024;

/** Groups events in order into frames of a moderate size; a large event has its own frame. */
export function framesOf(events: HostEvent[]): HostEvent[][] {
  const frames: HostEvent[][] = [];
  let room = 0;
  for (const event of events) {
    const bytes = 2 * sizeOf(event);
    const frame = frames.at(-1);
    if (frame && bytes <= room) frame.push(event);
    else {
      frames.push([event]);
      room = frameLength;
    }
    room -= bytes;
  }
  return frames;
}

/** Databases refuse an unpaired surrogate, though Python and JSON accept it. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([name, each]) => name.isWellFormed() && isWellFormed(each));
}

function wellFormed<Value>(value: Value): Value;
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => wellFormed(each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]));
}
