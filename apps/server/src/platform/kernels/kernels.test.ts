import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHost, type HostProcessOptions, startHost } from '@atoll/kernels';
import { hostOptions } from '@atoll/kernels/host-options-for-tests';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type IdentifiedHost, kernelsInProcess } from './kernels.ts';

let folder: string;
let options: HostProcessOptions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kernels-test-'));
  options = hostOptions(folder);
});
afterEach(async () => {
  const host = await findHost(options.folder);
  // The host may be ending already.
  await host?.close().catch(() => {});
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

const addressFile = () => join(options.folder, 'host.json');
const address = async () => JSON.parse(await readFile(addressFile(), 'utf8')) as { socket: string; pid: number };

/** Starts a host that is reached through a line that can be cut. */
async function hostOnALine() {
  const first = await startHost(options);
  first.disconnect();
  const { socket: real, ...rest } = await address();
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(real);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  line.listen(join(folder, 'line'));
  await once(line, 'listening');
  await writeFile(addressFile(), JSON.stringify({ ...rest, socket: join(folder, 'line') }));
  return {
    hostId: first.hostId,
    pid: rest.pid,
    cut: () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: () => line.close(),
  };
}

const watched = () => {
  const kernels = kernelsInProcess(options);
  const hosts: IdentifiedHost[] = [];
  const lost: string[] = [];
  kernels.onHost((host) => hosts.push(host));
  kernels.onLost((hostId) => lost.push(hostId));
  return { kernels, hosts, lost };
};

describe('The kernel host of a server', () => {
  test('is found again after a lost connection, and reported as lost when it has ended', async () => {
    const line = await hostOnALine();
    const { kernels, hosts, lost } = watched();
    const host = await kernels.host();
    expect(host.hostId).toBe(line.hostId);
    line.cut();
    await expect.poll(() => hosts.length).toBe(2);
    const again = await kernels.host();
    expect(again).toBe(hosts[1]);
    expect(again.hostId).toBe(line.hostId);
    expect(again).not.toBe(host);
    expect((await again.status()).hostId).toBe(line.hostId);
    expect(lost).toEqual([]);

    process.kill(line.pid, 'SIGKILL');
    await expect.poll(() => lost).toEqual([line.hostId]);
    line.close();
    const next = await kernels.host();
    expect(next.hostId).not.toBe(line.hostId);
    expect(hosts.map(({ hostId }) => hostId)).toEqual([line.hostId, line.hostId, next.hostId]);
    await kernels.stop();
  });

  test('waits for the reconnection when it is requested while the connection is lost', async () => {
    const line = await hostOnALine();
    const { kernels, lost } = watched();
    const host = await kernels.host();
    const gone = new Promise<void>((resolve) => void host.onLost(resolve));
    line.cut();
    await gone;
    const [one, other] = await Promise.all([kernels.host(), kernels.running()]);
    expect(one).toBe(other);
    expect(one.hostId).toBe(line.hostId);
    expect(lost).toEqual([]);
    await kernels.stop();
    line.close();
  });

  test('is not taken back from the server that took it over', async () => {
    const before = watched();
    const { hostId } = await before.kernels.host();
    const after = watched();
    const taken = await after.kernels.running();
    expect(taken?.hostId).toBe(hostId);
    await expect.poll(() => before.lost).toEqual([hostId]);
    expect((await taken?.status())?.hostId).toBe(hostId);
    expect(after.lost).toEqual([]);
    await after.kernels.stop();
  });

  test('is not started again after stop', async () => {
    const { kernels, lost } = watched();
    const starting = kernels.host();
    const stopping = kernels.stop();
    await expect(kernels.host()).rejects.toThrow('gone');
    await starting;
    await stopping;
    await expect(kernels.host()).rejects.toThrow('gone');
    expect(await kernels.running()).toBeNull();
    await expect.poll(async () => (await findHost(options.folder)) === null).toBe(true);
    expect(lost).toEqual([]);
  });
});
