import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export const path = '/socket';
export const topic = 'room:1';
export const broadcastEvent = 'tick';
export const broadcastPayload = { price: 12_345.67, text: 'x'.repeat(160) };
export const frameBytes = (payload: string) => payload.length + (payload.length < 126 ? 2 : 4);

/** A client's frame with the mask zero, which leaves the text as it is. */
export function clientFrame(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const header = size < 126 ? [0x81, 0x80 | size] : [0x81, 0x80 | 126, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([...header, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** Bare TCP behind the handshake: the client must not cost more than what is measured. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(
    `GET ${path}/websocket?vsn=2.0.0 HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}
