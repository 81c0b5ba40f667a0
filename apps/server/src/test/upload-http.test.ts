import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from './test-app.ts';

/** Over a real connection: in memory nobody can hang up. */
async function listening() {
  const app = await createTestApp();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.http.server.address() as AddressInfo;
  const { token } = await app.person();
  const slot = async () =>
    (await app.call<{ url: string }>('POST', '/v1/upload', { token, body: { client_name: 'x' } })).body.url;
  const open = (path: string) =>
    request({
      port,
      path,
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    });
  return { ...app, token, slot, open };
}

test('an upload that is too large is answered, not cut off', async () => {
  const { slot, open } = await listening();
  const upload = open(await slot());
  const status = new Promise<number | undefined>((resolve, reject) => {
    upload.once('response', (response) => resolve(response.resume().statusCode));
    upload.once('error', reject);
  });
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
  const status = new Promise((resolve) => second.once('response', (response) => resolve(response.resume().statusCode)));
  second.end('whole');
  expect(await status).toBe(200);
});
