import { createConnection, createServer, type Socket } from 'node:net';

/** Stands between clients and server, and cuts all connections when told to. */
const target = Number(process.argv[2]);
const open = new Set<Socket>();
const server = createServer((client) => {
  const upstream = createConnection(target, '127.0.0.1');
  for (const socket of [client, upstream]) {
    open.add(socket.setNoDelay(true));
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  }
  client.pipe(upstream).pipe(client);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : null);
});
process.on('message', () => {
  for (const socket of open) socket.destroy();
});
