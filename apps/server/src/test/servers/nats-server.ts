import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createLog } from '../../platform/log.ts';
import type { MessageBus } from '../../platform/messages/bus.ts';
import { inProcessBus } from '../../platform/messages/in-process.ts';
import { natsBus } from '../../platform/messages/nats.ts';
import { signingKey } from '../../platform/messages/signed.ts';
import { freePort, installPackage } from '../machine.ts';

/** Of servers that a test connects itself; those that open the database find theirs there. */
export const testMessageKey = signingKey(Buffer.alloc(32, 7));
const log = createLog({ level: 'silent', pretty: false });

export interface NatsServer {
  url: string;
  stop(): Promise<void>;
}

/** A real NATS server of the test's own: the installed one, or Debian's. */
export async function startNats(port?: number): Promise<NatsServer> {
  if (!(await find())) await installPackage('nats-server');
  const binary = await find();
  if (!binary) throw new Error('nats-server is needed for the tests: install the package nats-server');
  const chosen = port ?? (await freePort());
  const server = spawn(binary, ['-a', '127.0.0.1', '-p', String(chosen)], { stdio: ['ignore', 'ignore', 'pipe'] });
  await ready(server);
  return {
    url: `nats://127.0.0.1:${chosen}`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

/** Two servers' ends of the same bus. */
export const buses: Record<string, (nats: NatsServer) => Promise<[MessageBus, MessageBus]>> = {
  async 'in the process'() {
    const bus = inProcessBus();
    return [bus, bus];
  },
  NATS: async ({ url }) => [
    await natsBus(url, { key: testMessageKey, log }),
    await natsBus(url, { key: testMessageKey, log }),
  ],
};

async function find(): Promise<string | null> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']) {
    const path = join(folder, 'nats-server');
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  return null;
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      log += chunk;
      if (log.includes('Server is ready')) resolve();
    });
    server.once('exit', () => reject(new Error(`nats-server ended: ${log}`)));
  });
}
