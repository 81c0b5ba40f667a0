import type { Payload } from './types.ts';

/** An outgoing message in the forms that the transports need, each created on first use. */
export class Outgoing {
  readonly #text: string | null;
  readonly #bytes: Buffer | null;
  readonly #bytesAsText: (() => string) | null;
  #frame: Buffer | null = null;

  private constructor(text: string | null, bytes: Buffer | null, bytesAsText: (() => string) | null) {
    this.#text = text;
    this.#bytes = bytes;
    this.#bytesAsText = bytesAsText;
  }

  static text(text: string): Outgoing {
    return new Outgoing(text, null, null);
  }

  /** The official client cannot receive bytes by long poll, so it gets an equivalent text. */
  static bytes(bytes: Buffer, asText: () => string): Outgoing {
    return new Outgoing(null, bytes, asText);
  }

  /** For long poll. */
  get text(): string {
    return this.#text ?? this.#bytesAsText?.() ?? '';
  }

  /** The whole WebSocket frame: written as one piece, and for a broadcast shared by all receivers. */
  get frame(): Buffer {
    this.#frame ??= this.#bytes ? frameOf(this.#bytes, 2) : textFrame(this.#text ?? '');
    return this.#frame;
  }

  get size(): number {
    return this.#bytes?.length ?? this.#text?.length ?? 0;
  }
}

export const asJson = (payload: Payload | undefined) => (payload === undefined ? '{}' : JSON.stringify(payload));

const asText = (data: Uint8Array) => `{"base64":"${Buffer.from(data).toString('base64')}"}`;

export function encodeReply(
  joinRef: string | null,
  ref: string,
  topic: string,
  status: string,
  response: Payload | undefined,
): Outgoing {
  const text = (json: string) =>
    `[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${JSON.stringify(topic)},"phx_reply",{"status":${JSON.stringify(status)},"response":${json}}]`;
  if (!(response instanceof Uint8Array)) return Outgoing.text(text(asJson(response)));
  return Outgoing.bytes(pack(1, [joinRef ?? '', ref, topic, status], response), () => text(asText(response)));
}

/** `ref` is null except for phx_close and phx_error, which repeat the join's. */
export function encodePush(
  joinRef: string,
  ref: string | null,
  topic: string,
  event: string,
  payload: Payload,
): Outgoing {
  if (!(payload instanceof Uint8Array)) return encodePushJson(joinRef, ref, topic, event, asJson(payload));
  return Outgoing.bytes(
    pack(0, [joinRef, topic, event], payload),
    () => encodePushJson(joinRef, ref, topic, event, asText(payload)).text,
  );
}

/** For a payload with many receivers, turned into JSON once. */
export function encodePushJson(
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  json: string,
): Outgoing {
  return Outgoing.text(
    `[${JSON.stringify(joinRef)},${JSON.stringify(ref)},${JSON.stringify(topic)},${JSON.stringify(event)},${json}]`,
  );
}

export function encodeBroadcast(topic: string, event: string, payload: Payload): Outgoing {
  const text = (json: string) => encodePushJson(null, null, topic, event, json);
  if (!(payload instanceof Uint8Array)) return text(asJson(payload));
  return Outgoing.bytes(pack(2, [topic, event], payload), () => text(asText(payload)).text);
}

/** Kind, one byte of length for each field, the fields, the data. */
function pack(kind: number, fields: string[], data: Uint8Array): Buffer {
  const encoded = fields.map((field) => Buffer.from(field));
  if (encoded.some((field) => field.length > 255))
    throw new RangeError('A field of a binary message has over 255 bytes');
  return Buffer.concat([Uint8Array.of(kind, ...encoded.map((field) => field.length)), ...encoded, data]);
}

function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const start = headerSize(size);
  const frame = Buffer.allocUnsafe(start + size);
  writeHeader(frame, size, 1);
  frame.write(text, start);
  return frame;
}

function frameOf(bytes: Buffer, opcode: number): Buffer {
  const start = headerSize(bytes.length);
  const frame = Buffer.allocUnsafe(start + bytes.length);
  writeHeader(frame, bytes.length, opcode);
  bytes.copy(frame, start);
  return frame;
}

const headerSize = (size: number) => (size < 126 ? 2 : size < 65_536 ? 4 : 10);

function writeHeader(frame: Buffer, size: number, opcode: number): void {
  frame[0] = 0x80 | opcode;
  if (size < 126) frame[1] = size;
  else if (size < 65_536) {
    frame[1] = 126;
    frame.writeUInt16BE(size, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(0, 2);
    frame.writeUInt32BE(size, 6);
  }
}
