import type { ExecuteResult, KernelMessage } from '../port.ts';
import { sizeText } from '../results.ts';
import type { HostEvent } from './types.ts';

/** Far below what a frame may have: a frame too large would cost everybody their kernels. */
const largest = 64 * 1024 ** 2;
/** Whoever stores or masks it walks through it recursively. */
const deepest = 200;
/** So much of it is kept for the event it becomes a part of. */
const around = 5;

/** Roughly, in characters and bytes: what matters is that large ones count. Infinite when it is nested too deeply. */
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

/** With two bytes for each character, as V8 writes a text when a single one needs them. */
const frameBytes = (message: KernelMessage) =>
  2 * sizeOf([message.content, message.metadata], around) + sizeOf(message.buffers);

/** What can be sent, walked through and stored; what cannot is replaced by a word about it. */
export function presentable(message: KernelMessage): KernelMessage {
  if (frameBytes(message) <= largest) {
    const { content, metadata } = message;
    return isWellFormed([content, metadata])
      ? message
      : { ...message, content: wellFormed(content), metadata: wellFormed(metadata) };
  }
  const note = `${whyLeftOut(sizeOf([message.content, message.metadata, message.buffers], around))}\n`;
  const left = { ...message, metadata: {}, buffers: [] };
  // The kernel waits for an answer, whatever it asked.
  if (message.channel === 'stdin') {
    return { ...left, content: { prompt: note, password: message.content.password === true } };
  }
  return { ...left, type: 'stream', content: { name: 'stderr', text: note } };
}

/** Whoever stores a text has other things to do in between. */
const pieceLength = 64 * 1024;

/** A long text in pieces, cut after a line where there is one: of a text nothing is too large, only of all else. */
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
  // Not between the halves of a character.
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

/** Whoever reads a frame does nothing else meanwhile. */
const frameLength = 512 * 1024;

/** In order, in frames of a moderate size; one that is large has its own. */
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

/** Databases refuse half a surrogate pair, though Python and JSON let it pass. */
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
