import { parentPort } from 'node:worker_threads';
import { decode, type WireMessage } from '../wire/message.ts';

export interface ToDecode {
  id: number;
  frames: Uint8Array[];
  key: string;
}

/** An entry without a message is the last one with this id. */
export interface Decoded {
  id: number;
  message: WireMessage | null;
  isTooLarge: boolean;
}

/** The receiver is blocked while it takes a piece over, so pieces are short. */
const pieceLength = 256 * 1024;
const mostBytes = 32 * 1024 ** 2;
const mostValues = 2_000_000;

const answer = (decoded: Decoded) => parentPort?.postMessage(decoded);

parentPort?.on('message', ({ id, frames, key }: ToDecode) => {
  let isTooLarge = false;
  try {
    const message = decode(
      frames.map((frame) => Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)),
      key,
    );
    const { text } = message.content;
    if (message.header.msg_type === 'stream' && typeof text === 'string') {
      for (let from = 0; from < text.length; ) {
        const to = pieceEnd(text, from);
        const content = { name: message.content.name ?? 'stdout', text: text.slice(from, to) };
        answer({ id, message: { ...message, content, metadata: {}, buffers: [] }, isTooLarge });
        from = to;
      }
    } else if (jsonBytes(frames) > mostBytes || valuesIn(message) > mostValues) isTooLarge = true;
    else answer({ id, message, isTooLarge });
  } catch {
    // Users' code can also reach the sockets and may write anything there.
  }
  answer({ id, message: null, isTooLarge });
});

/** Does not split a surrogate pair. */
function pieceEnd(text: string, from: number): number {
  const end = from + pieceLength;
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') && end < text.length ? end - 1 : end;
}

function jsonBytes(frames: Uint8Array[]): number {
  const start = frames.findIndex((frame) => Buffer.from(frame).toString('latin1', 0, 9) === '<IDS|MSG>');
  return frames.slice(start + 2, start + 6).reduce((size, { length }) => size + length, 0);
}

function valuesIn({ content, metadata }: WireMessage): number {
  const open: unknown[] = [content, metadata];
  let count = 0;
  while (open.length > 0 && count <= mostValues) {
    const value = open.pop();
    count += 1;
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) open.push(each);
  }
  return count;
}
