import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testPython } from '@atoll/kernels/test-python';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compiledOnce, prepareDatabase } from './server-process.ts';

/** The server as a process of its own: started, refused, stopped and killed. Only the embedded database is at stake. */

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function preparedFolder(): Promise<string> {
  const folder = dataFolder();
  await prepareDatabase(folder);
  return folder;
}

interface Server {
  child: ChildProcess;
  url: string;
  output: string[];
  exited: Promise<number | null>;
}

/** Starts a server on any free port; answers once it says it is ready, or when it gave up. */
async function start(folder: string, env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: {
      PATH: process.env.PATH,
      ATOLL_DATA: folder,
      PORT: '0',
      ATOLL_LOG_LEVEL: 'info',
      ATOLL_KERNEL_SPARE: 'off',
      ATOLL_PYTHON: testPython,
      ...compiledOnce,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const output: string[] = [];
  const lines = createInterface({ input: child.stdout });
  createInterface({ input: child.stderr }).on('line', (line) => output.push(line));
  let url = '';
  await Promise.race([
    new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        output.push(line);
        url ||= /^Ready at (http\S+)/.exec(line)?.[1] ?? '';
        if (url) resolve();
      });
    }),
    exited,
  ]);
  return { child, url, output, exited };
}

const post = (url: string, path: string, body: unknown, token?: string) =>
  fetch(`${url}/api/atoll${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

describe('the server as a process', () => {
  test('prints its address and a sign-in link that works once, and refuses a second server on its data', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    const token = /#token=([\w-]+)/.exec(first.output.join('\n'))?.[1];
    const redeem = () => post(first.url, '/v1/sign_in/link/redeem', { token });
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).status).toBe(410);
    const second = await start(folder);
    expect(await second.exited).toBe(1);
    expect(second.output.join('\n')).toContain(`is in use by process ${first.child.pid}`);
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);
    const third = await start(folder);
    expect(third.url).not.toBe('');
    // Nobody has given the administrator another way in yet, so there is a new link.
    expect(/#token=([\w-]+)/.exec(third.output.join('\n'))?.[1]).not.toBe(token);
  });

  test('names every wrong variable and does not start', async () => {
    const { exited, output } = await start(dataFolder(), { PORT: 'x', ATOLL_PLATFORM: 'y' });
    expect(await exited).toBe(1);
    expect(output.join('\n')).toMatch(/The configuration is wrong:[\s\S]*PORT:[\s\S]*ATOLL_PLATFORM:/);
  });

  test('on SIGTERM finishes what is under way and stops', async () => {
    const server = await start(await preparedFolder());
    const body = { email: 'late@example.org', password: 'long enough password', user_name: 'late_comer' };
    const pending = post(server.url, '/v1/sign_up', body);
    // The hashing of the password keeps this request busy while the signal arrives.
    await fetch(`${server.url}/api/atoll/live`);
    server.child.kill('SIGTERM');
    expect((await pending).status).toBe(200);
    expect(await server.exited).toBe(0);
  });

  test('killed while writing, it has lost nothing it had acknowledged', async () => {
    const folder = await preparedFolder();
    const acknowledged: number[] = [];
    for (let round = 0; round < 3; round++) {
      const server = await start(folder);
      const guest = (await (await fetch(`${server.url}/api/atoll/v1/me`)).json()) as { token: string };
      const deadline = acknowledged.length + 40;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let count = 0; ; count++) {
          const number = round * 100_000 + writer * 10_000 + count;
          const answer = await post(server.url, '/v1/upload', { client_name: `file-${number}` }, guest.token).catch(
            () => null,
          );
          if (answer?.status !== 200) return;
          acknowledged.push(number);
          // In the middle of everybody's writing, not between two of them.
          if (acknowledged.length === deadline) server.child.kill('SIGKILL');
        }
      });
      await Promise.all(writers);
      await server.exited;
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(120);
    const names = await storedNames(folder);
    expect(acknowledged.filter((number) => !names.has(`file-${number}`))).toEqual([]);
  });

  test('killed in the middle of an upload, it goes on where the bytes stopped', async () => {
    const folder = await preparedFolder();
    const size = 1_000_000;
    const bytes = Buffer.alloc(size, 'the tide comes in ');
    const first = await start(folder);
    const guest = (await (await fetch(`${first.url}/api/atoll/v1/me`)).json()) as { token: string };
    const headers = { authorization: `Bearer ${guest.token}`, 'content-type': 'application/octet-stream' };
    const slot = await post(first.url, '/v1/upload', { client_name: 'tides.txt' }, guest.token);
    const { upload_id: id } = (await slot.json()) as { upload_id: string };
    const received = async (server: Server) =>
      ((await (await fetch(`${server.url}/api/atoll/v1/upload/${id}`, { headers })).json()) as { received: number })
        .received;
    const cut = request(`${first.url}/api/atoll/v1/upload/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-range': `bytes 0-${size - 1}/${size}`, 'content-length': size },
    });
    cut.on('error', () => {});
    cut.write(bytes.subarray(0, 600_000));
    while ((await received(first)) === 0) await new Promise(setImmediate);
    first.child.kill('SIGKILL');
    await first.exited;

    const second = await start(folder);
    const from = await received(second);
    expect(from).toBeGreaterThan(0);
    const rest = await fetch(`${second.url}/api/atoll/v1/upload/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-range': `bytes ${from}-${size - 1}/${size}` },
      body: bytes.subarray(from),
    });
    expect(await rest.json()).toMatchObject({ is_complete: true, size });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    expect(bytes.equals(readFileSync(blob))).toBe(true);
  });
});

async function storedNames(folder: string): Promise<Set<string>> {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(join(folder, 'database'));
  const { rows } = await database.query<{ client_name: string }>('select client_name from uploads');
  await database.close();
  return new Set(rows.map((row) => row.client_name));
}
