import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { dropSlowConnections } from './slow-connections.ts';

async function listen() {
  const http = fastify({ requestTimeout: 0, http: { connectionsCheckingInterval: 20 } });
  dropSlowConnections(http, 200);
  const gate = Promise.withResolvers<void>();
  http.post('/', async () => {
    await gate.promise;
    return 'ok';
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => http.close());
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  return { socket, gate, closed: once(socket, 'close'), answered: () => answer };
}

test('a client that does not finish its headers or its body is dropped', async () => {
  for (const beginning of [
    'POST / HTTP/1.1\r\nHost: a',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n{',
  ]) {
    const { socket, closed, answered } = await listen();
    socket.write(beginning);
    await closed;
    expect(answered()).not.toContain('200 OK');
  }
});

test('an answer may take longer than a request', async () => {
  const { socket, gate, closed, answered } = await listen();
  socket.write(
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n1',
  );
  const other = await listen();
  other.socket.write('POST /');
  await other.closed;
  gate.resolve();
  await closed;
  expect(answered()).toContain('200 OK');
});
