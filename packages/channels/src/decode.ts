import type { Json } from './types.ts';

export interface Incoming {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Json | Uint8Array;
  /** The envelope is valid, but the payload contains keys or texts that handlers must not get. */
  unsafe: boolean;
}

/** The longest a field can be: binary frames give its length in one byte. */
const maxFieldBytes = 255;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null for anything that is not a message of the protocol. */
export function decodeText(text: string): Incoming | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(message) || message.length < 5) return null;
  const [joinRef, ref, topic, event, payload] = message as unknown[];
  if (!isRef(joinRef) || !isRef(ref) || !isName(topic) || !isName(event)) return null;
  // A key can be written with escapes, so a plain search is enough only when there are none.
  const suspicious = text.includes('\\u') || text.includes('__proto__') || text.includes('constructor');
  if (suspicious && !(topic.isWellFormed() && event.isWellFormed())) return null;
  return { joinRef, ref, topic, event, payload: payload as Json, unsafe: suspicious && !isSafe(payload) };
}

/** `00`, four lengths, join_ref, ref, topic, event, data. */
export function decodeBinary(bytes: Uint8Array): Incoming | null {
  const [kind, joinRefSize, refSize, topicSize, eventSize] = bytes;
  if (kind !== 0 || joinRefSize === undefined || refSize === undefined) return null;
  if (topicSize === undefined || eventSize === undefined) return null;
  let offset = 5;
  if (bytes.length < offset + joinRefSize + refSize + topicSize + eventSize) return null;
  const field = (size: number) => {
    offset += size;
    return utf8.decode(bytes.subarray(offset - size, offset));
  };
  try {
    const joinRef = field(joinRefSize) || null;
    const ref = field(refSize) || null;
    const topic = field(topicSize);
    const event = field(eventSize);
    if (!topic || !event) return null;
    return { joinRef, ref, topic, event, payload: bytes.subarray(offset), unsafe: false };
  } catch {
    return null;
  }
}

const isRef = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value.length <= 64);

const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= maxFieldBytes &&
  (value.length * 3 <= maxFieldBytes || Buffer.byteLength(value) <= maxFieldBytes);

/** No key that reaches a prototype when it is copied; no unpaired surrogate, which databases refuse to store. */
function isSafe(payload: unknown): boolean {
  const left = [payload];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (key === '__proto__' || !key.isWellFormed()) return false;
      if (key === 'constructor' && typeof child === 'object' && child !== null && Object.hasOwn(child, 'prototype')) {
        return false;
      }
      left.push(child);
    }
  }
  return true;
}
