import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** The format between the server and its host: a length, then V8's serialization, which keeps buffers. */
const maxBytes = 256 * 1024 ** 2;

export function writeFrame(socket: Socket, value: unknown): void {
  const body = serialize(value);
  // The other side would disconnect, which ends everything in progress.
  if (body.byteLength > maxBytes) throw new Error('It is too large to be sent');
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(body.byteLength);
  socket.cork();
  socket.write(length);
  socket.write(body);
  process.nextTick(() => socket.uncork());
}

export function readFrames(socket: Socket, onValue: (value: unknown) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted: number | null = null;
  const take = (bytes: number): Buffer => {
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
    chunks = [all.subarray(bytes)];
    size -= bytes;
    return all.subarray(0, bytes);
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.byteLength;
    for (;;) {
      if (wanted === null) {
        if (size < 4) return;
        wanted = take(4).readUInt32LE();
        if (wanted > maxBytes) return void socket.destroy();
      }
      if (size < wanted) return;
      const body = take(wanted);
      wanted = null;
      onValue(deserialize(body));
    }
  });
}
