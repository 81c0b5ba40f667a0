import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards bytes and cuts each connection after a given number of them; the last byte is delivered. */
export async function startCuttingProxy(target: number, bytesUntilCut: () => number) {
  const sockets = new Set<Socket>();
  const proxy = { port: 0, cuts: 0, stop };

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let left = bytesUntilCut();
    const cut = () => {
      if (client.destroyed) return;
      proxy.cuts++;
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.end();
      });
      from.on('data', (chunk: Buffer) => {
        if (left <= 0) return;
        const part = chunk.subarray(0, left);
        left -= part.length;
        to.write(part, () => left <= 0 && cut());
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.port = (server.address() as AddressInfo).port;

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
  return proxy;
}
