import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Fields } from '../port.ts';

/** The Jupyter wire protocol: idents, delimiter, signature, header, parent, metadata, content, buffers. */

export interface Header extends Fields {
  msg_id: string;
  msg_type: string;
  session: string;
  username: string;
  date: string;
  version: string;
}

export interface WireMessage {
  header: Header;
  /** Empty for a message that answers no other. */
  parent: Fields;
  metadata: Fields;
  content: Fields;
  buffers: Uint8Array[];
}

export class WireError extends Error {
  override name = 'WireError';
}

const delimiter = Buffer.from('<IDS|MSG>');
const protocolVersion = '5.3';

export function newMessage(
  type: string,
  content: Fields,
  session: string,
  id: string = randomUUID(),
  subshell: string | null = null,
): WireMessage {
  const date = new Date().toISOString();
  const header = { msg_id: id, msg_type: type, session, username: 'user', date, version: protocolVersion };
  return {
    header: subshell === null ? header : { ...header, subshell_id: subshell },
    parent: {},
    metadata: {},
    content,
    buffers: [],
  };
}

function signatureOf(key: string, parts: Uint8Array[]): Buffer {
  // Without a key messages are not signed, by the specification.
  if (key === '') return Buffer.alloc(0);
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return Buffer.from(hmac.digest('hex'));
}

export function encode(message: WireMessage, key: string): Uint8Array[] {
  const { header, parent, metadata, content, buffers } = message;
  const parts = [header, parent, metadata, content].map((part) => Buffer.from(JSON.stringify(part)));
  return [delimiter, signatureOf(key, parts), ...parts, ...buffers];
}

export function decode(frames: Uint8Array[], key: string): WireMessage {
  const start = frames.findIndex((frame) => delimiter.equals(frame));
  if (start < 0) throw new WireError('No delimiter');
  const [signature, ...rest] = frames.slice(start + 1);
  const parts = rest.slice(0, 4);
  const [header, parent, metadata, content] = parts;
  if (!signature || !header || !parent || !metadata || !content) throw new WireError('Too few frames');
  const expected = signatureOf(key, parts);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new WireError('Wrong signature');
  }
  return {
    header: headerIn(header),
    parent: fieldsIn(parent),
    metadata: fieldsIn(metadata),
    content: fieldsIn(content),
    buffers: rest.slice(4),
  };
}

/** The head of a message whose rest is missing: its header and parent. */
export function headOf(frames: Uint8Array[]): Pick<WireMessage, 'header' | 'parent'> | null {
  const start = frames.findIndex((frame) => delimiter.equals(frame));
  const [header, parent] = frames.slice(start + 2, start + 4);
  if (start < 0 || !header || !parent) return null;
  try {
    return { header: headerIn(header), parent: fieldsIn(parent) };
  } catch {
    return null;
  }
}

function fieldsIn(frame: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString());
  } catch {
    throw new WireError('Not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WireError('Not an object');
  return value as Fields;
}

function headerIn(frame: Uint8Array): Header {
  const header = fieldsIn(frame);
  if (typeof header.msg_id !== 'string' || typeof header.msg_type !== 'string') throw new WireError('No type or id');
  return header as Header;
}
