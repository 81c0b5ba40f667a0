import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HostConnection } from './client.ts';
import { findHost, startHost } from './launch.ts';
import type { HostProcessOptions } from './options.ts';
import { hostOptions } from './test/host-options.ts';
import type { HostEvent } from './types.ts';

const limits = { memoryBytes: 2 ** 31, processes: 100, fileBytes: 1e8, folderBytes: 1e9, cpu: 1 };
const request = (id: string) => ({ id, kind: 'pyodide.pyodide', environment: {}, limits, hasNetwork: false });

let folder: string;
let options: HostProcessOptions;
const connections: HostConnection[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'host-test-'));
  options = hostOptions(folder);
});
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.disconnect();
  const host = await findHost(options.folder);
  await host?.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

const kept = (connection: HostConnection | null): HostConnection => {
  if (!connection) throw new Error('There is no host');
  connections.push(connection);
  return connection;
};
const listen = (connection: HostConnection): HostEvent[] => {
  const heard: HostEvent[] = [];
  connection.onEvents((events) => heard.push(...events));
  return heard;
};
const pidOf = async (): Promise<number> => JSON.parse(await readFile(join(options.folder, 'host.json'), 'utf8')).pid;
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const linesOf = (heard: HostEvent[]) =>
  heard
    .flatMap((event) => (event.type === 'message' && event.message.type === 'stream' ? event.message.content.text : []))
    .join('');
/** The children of a process, by Linux's own list. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.trim().split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(childrenOf))).flat()];
}

describe('The kernel host, in its own process', () => {
  test('keeps a run going while its server is killed, and sends every line once', async () => {
    const server = fork(join(import.meta.dirname, 'test/doomed-server.ts'), { stdio: 'inherit' });
    server.send({ options, request: request('a') });
    // The server sends its message when it has received and stored the first lines.
    const [stored] = (await once(server, 'message')) as [number, unknown];
    server.kill('SIGKILL');
    await once(server, 'exit');
    const host = kept(await findHost(options.folder));
    const heard = listen(host);
    await host.follow('a', stored);
    await expect.poll(() => heard.some(({ type }) => type === 'finished')).toBe(true);
    expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, index) => stored + 1 + index));
    expect(linesOf(heard)).toMatch(/\n199\n$/);
  });

  test('gives way to the next server, and does not answer strangers', async () => {
    const first = kept(await startHost(options));
    const lost = new Promise<void>((resolve) => void first.onLost(resolve));
    const second = kept(await findHost(options.folder));
    await lost;
    await expect(first.status()).rejects.toThrow('gone');
    expect((await second.status()).hostId).toBe(first.hostId);
    const address = JSON.parse(await readFile(join(options.folder, 'host.json'), 'utf8'));
    const { connectHost } = await import('./client.ts');
    await expect(connectHost({ ...address, token: 'x'.repeat(address.token.length) })).rejects.toThrow();
    expect((await second.kinds()).map(({ id }) => id)).toContain('pyodide.pyodide');
  });

  test('ends with its kernels when no server comes back', async () => {
    const host = kept(await startHost({ ...options, graceMs: 300 }));
    await host.open(request('a'));
    await expect.poll(async () => (await host.kernels())[0]?.state).toBe('idle');
    const pid = await pidOf();
    const all = [pid, ...(await childrenOf(pid))];
    expect(all.length).toBeGreaterThan(1);
    host.disconnect();
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
    expect(await findHost(options.folder)).toBeNull();
  });

  test('ends its kernels when it is killed, and its server gets the loss event', async () => {
    const host = kept(await startHost(options));
    await host.open(request('a'));
    await expect.poll(async () => (await host.kernels())[0]?.state).toBe('idle');
    const pid = await pidOf();
    const all = [pid, ...(await childrenOf(pid))];
    const lost = new Promise<void>((resolve) => void host.onLost(resolve));
    process.kill(pid, 'SIGKILL');
    await lost;
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
    const next = kept(await startHost(options));
    expect(next.hostId).not.toBe(host.hostId);
    expect(await next.kernels()).toEqual([]);
  });
});
