import { Agent, type ClientRequest, type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from './test-app.ts';

/** Over a real connection: in memory nobody can hang up. */
async function listening() {
  const app = await createTestApp();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.http.server.address() as AddressInfo;
  const { token } = await app.person();
  const slot = async () =>
    (await app.call<{ url: string }>('POST', '/v1/upload', { token, body: { client_name: 'x' } })).body.url;
  const open = (path: string, { headers, ...options }: RequestOptions = {}) =>
    request({
      ...options,
      port,
      path,
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', ...(headers as object) },
    });
  return { ...app, token, slot, open };
}

const statusOf = (sent: ClientRequest) =>
  new Promise<number | undefined>((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode));
    sent.once('error', reject);
  });

test('an upload that is too large is answered, not cut off', async () => {
  const { slot, open } = await listening();
  const upload = open(await slot());
  const status = statusOf(upload);
  const chunk = Buffer.alloc(1024 ** 2);
  let isAnswered = false;
  status.finally(() => {
    isAnswered = true;
  });
  for (let sent = 0; sent < 130 && !isAnswered; sent++) {
    if (!upload.write(chunk)) await Promise.race([status, new Promise((resolve) => upload.once('drain', resolve))]);
  }
  upload.end();
  expect(await status).toBe(413);
});

test('an announced size that is too large is refused at once, and the connection stays usable', async () => {
  const { slot, open } = await listening();
  const path = await slot();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const size = 101 * 1024 ** 2;
  const upload = open(path, { agent, headers: { 'content-length': size } });
  const status = statusOf(upload);
  upload.write(Buffer.alloc(1024 ** 2));
  expect(await status).toBe(413);
  // The rest is read and forgotten, so that the next request on the connection is answered.
  upload.end(Buffer.alloc(size - 1024 ** 2));
  const second = open(path, { agent });
  second.end('small enough');
  expect(await statusOf(second)).toBe(200);
});

test('a client that hangs up may send all of it again', async () => {
  const { slot, open } = await listening();
  const path = await slot();
  const first = open(path);
  first.on('error', () => {});
  first.write(Buffer.alloc(100_000));
  await new Promise((resolve) =>
    first.once('socket', (socket) => socket.once('drain', resolve) && setImmediate(resolve)),
  );
  first.destroy();
  const second = open(path);
  const status = statusOf(second);
  second.end('whole');
  expect(await status).toBe(200);
});
