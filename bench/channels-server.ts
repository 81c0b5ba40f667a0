import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChannelServer } from '@atoll/channels';
import { type WebSocket, WebSocketServer } from 'ws';
import { broadcastEvent, broadcastPayload, path, topic } from './channels-wire.ts';

/** One of the two, in a process of its own: our channel server, or `ws` with nothing around it. */
const http = createServer();
const broadcast = process.argv[2] === 'ours' ? ours() : bare();

function ours() {
  const server = createChannelServer<object>({
    path,
    isOriginAllowed: () => true,
    authenticate: async () => ({}),
    route: () => ({
      join: async () => ({}),
      command: async (_channel, _event, payload) => ({ status: 'ok', response: payload as object }),
    }),
    limits: { messagesPerSecond: 1e6, messageBurst: 1e6 },
    onError: (error) => {
      throw error;
    },
  });
  server.attach(http);
  return () => server.broadcast(topic, broadcastEvent, broadcastPayload);
}

function bare() {
  const sockets = new Set<WebSocket>();
  new WebSocketServer({ server: http, perMessageDeflate: false, clientTracking: false }).on('connection', (socket) => {
    sockets.add(socket);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('close', () => sockets.delete(socket));
  });
  return () => {
    const text = Buffer.from(JSON.stringify([null, null, topic, broadcastEvent, broadcastPayload]));
    for (const socket of sockets) socket.send(text, { binary: false });
  };
}

process.on('message', (wanted: { broadcasts: number } | 'memory') => {
  if (wanted === 'memory') {
    globalThis.gc?.();
    process.send?.(process.memoryUsage.rss());
  } else for (let round = 0; round < wanted.broadcasts; round++) broadcast();
});
http.listen(0, '127.0.0.1', 4_096, () => process.send?.((http.address() as AddressInfo).port));
