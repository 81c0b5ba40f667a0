import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testPython } from '@atoll/kernels/test-python';
import { compiledOnce, prepareDatabase } from '../apps/server/src/test/server-process.ts';
import { simpleParser } from './mail.ts';

export interface TestServer {
  url: string;
  /** The one-time link printed on the first start. */
  adminLink: string;
  /** The newest mail to an address, once it has been written. */
  mailTo(address: string): Promise<{ subject: string; link: string }>;
  /** Has somebody use execution time, as no endpoint does. */
  ask(use: Use): Promise<void>;
  stop(): Promise<void>;
}

/** What `metered-server.ts` is asked. */
export interface Use {
  userId: string;
  /** Held by a run in progress; with `usedMs` the run is over. */
  wantedMs: number;
  usedMs?: number;
}

const product = join(import.meta.dirname, '../apps/server/src/main.ts');

/** The product as a person starts it, on a port and a data folder of its own. */
export async function startServer(env: Record<string, string> = {}, main = product): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-e2e-'));
  await prepareDatabase(folder);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      ATOLL_DATA: folder,
      PORT: String(port),
      ATOLL_URL: url,
      ATOLL_LOG_LEVEL: 'warn',
      ATOLL_KERNEL_SPARE: 'off',
      // The journeys read the mails there.
      ATOLL_MAILBOX: 'on',
      // Named, or one that has more would be made for each of them.
      ATOLL_PYTHON: testPython,
      ...compiledOnce,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const output = await untilReady(child);
  return {
    url,
    adminLink: /http\S+#token=\S+/.exec(output)?.[0] ?? '',
    mailTo: (address) => newestMail(join(folder, 'outbox'), address),
    ask: (use) =>
      new Promise((resolve) => {
        child.once('message', () => resolve());
        child.send(use);
      }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    if (!child.stdout) throw new Error('no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      if (line.startsWith('Ready at')) resolve(output);
    });
    child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  });
}

async function newestMail(outbox: string, address: string): Promise<{ subject: string; link: string }> {
  for (let attempt = 0; attempt < 400; attempt++) {
    // The folder is made with the first mail.
    const files = existsSync(outbox) ? readdirSync(outbox, { encoding: 'utf8' }).sort().reverse() : [];
    for (const file of files) {
      const mail = simpleParser(readFileSync(join(outbox, file), 'utf8'));
      if (mail.to.includes(address)) return mail;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No mail to ${address}`);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port')),
      );
    });
  });
}
