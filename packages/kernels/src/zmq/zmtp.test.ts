import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Publisher, Router } from 'zeromq';
import { ZmtpSocket } from './zmtp.ts';

/** Runs against ZeroMQ's own library. */

async function place(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zmtp-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 's');
}

function open(path: string, type: 'DEALER' | 'SUB', mostBytes = 1000) {
  const heard: string[] = [];
  const socket = new ZmtpSocket(
    path,
    { type, identity: type === 'DEALER' ? 'me' : '', mostBytes },
    {
      onMessage: (frames) => {
        heard.push(frames.map(String).join('|').slice(0, 100));
        return undefined;
      },
      onTooLarge: (frames, bytes) => void heard.push(`${bytes} too large: ${frames.map(String).join('|')}`),
      onRead() {},
      onClosed: () => void heard.push('closed'),
    },
  );
  onTestFinished(() => socket.close());
  return { socket, heard };
}

test('sends and receives, also requests from before the other side was there', async () => {
  const path = await place();
  const { socket, heard } = open(path, 'DEALER', 10_000_000);
  socket.send([Buffer.from('hello'), Buffer.alloc(0), Buffer.alloc(1000, 'x')]);
  const router = new Router({ linger: 0 });
  onTestFinished(() => router.close());
  await router.bind(`ipc://${path}`);
  expect((await router.receive()).map((frame) => [frame.length, frame.toString('latin1', 0, 5)])).toEqual([
    [2, 'me'],
    [5, 'hello'],
    [0, ''],
    [1000, 'xxxxx'],
  ]);
  await router.send(['me', 'small']);
  await router.send(['me', 'a'.repeat(5_000_000), 'b']);
  await expect.poll(() => heard).toEqual(['small', 'a'.repeat(100)]);
});

test('leaves out a message that is too large, in one part or in many, and receives the next', async () => {
  const path = await place();
  const publisher = new Publisher({ linger: 0 });
  onTestFinished(() => publisher.close());
  await publisher.bind(`ipc://${path}`);
  const { heard } = open(path, 'SUB');
  await expect
    .poll(async () => {
      await publisher.send('there');
      return heard.length;
    })
    .toBeGreaterThan(0);
  heard.length = 0;
  const large = 'x'.repeat(1_000_000);
  await publisher.send(['topic', large]);
  await publisher.send(['parts', ...Array.from({ length: 5000 }, () => '')]);
  await publisher.send(['last']);
  await expect.poll(() => heard.filter((said) => said !== 'there').at(-1)).toBe('last');
  const left = heard.filter((said) => said !== 'there');
  expect(left[0]).toBe('1000005 too large: topic|');
  expect(left[1]).toMatch(/^5 too large: parts\|/);
});

test('does not follow a link, and rejects a peer with another protocol', async () => {
  const [path, elsewhere] = [await place(), await place()];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n');
  });
  onTestFinished(() => void server.close());
  await once(server.listen(elsewhere), 'listening');
  await symlink(elsewhere, path);
  const linked = open(path, 'DEALER');
  const direct = open(elsewhere, 'DEALER');
  await expect.poll(() => direct.heard).toEqual(['closed']);
  expect(connections).toBe(1);
  expect(linked.heard).toEqual([]);
});
