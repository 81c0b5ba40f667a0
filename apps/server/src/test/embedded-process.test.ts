import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  test('prints its address and a sign-in link that works once, refuses a second server on its data, and finishes what is under way', async () => {
    const folder = dataFolder();
    const first = await start(folder);
    const token = /#token=([\w-]+)/.exec(first.output.join('\n'))?.[1];
    const redeem = () => post(first.url, '/v1/sign_in/link/redeem', { token });
    expect((await redeem()).status).toBe(200);
    expect((await redeem()).status).toBe(410);
    const second = await start(folder);
    expect(await second.exited).toBe(1);
    expect(second.output.join('\n')).toContain(`is in use by process ${first.child.pid}`);
    const body = { email: 'late@example.org', password: 'long enough password', user_name: 'late_comer' };
    const pending = post(first.url, '/v1/sign_up', body);
    // The hashing of the password keeps this request busy while the signal arrives.
    await fetch(`${first.url}/api/atoll/live`);
    first.child.kill('SIGTERM');
    expect((await pending).status).toBe(200);
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

  test('a database that does not open, and a place that cannot be written, are said in one sentence without a stack', async () => {
    const broken = dataFolder();
    await prepareDatabase(broken);
    for (const name of readdirSync(join(broken, 'database', 'global')))
      writeFileSync(join(broken, 'database', 'global', name), 'not a database');
    const first = await start(broken);
    expect(await first.exited).toBe(1);
    expect(first.output.join('\n')).toContain(`The embedded database in ${join(broken, 'database')} does not open`);
    expect(first.output.join('\n')).not.toContain('    at ');
    const file = join(dataFolder(), 'file');
    writeFileSync(file, '');
    const second = await start(join(file, 'data'));
    expect(await second.exited).toBe(1);
    expect(second.output.join('\n')).toContain(`${file}/data cannot be made: ${file} is not a folder`);
    expect(second.output.join('\n')).not.toContain('    at ');
  });

  test('killed while writing and in the middle of an upload, it has lost nothing it had acknowledged, and the upload goes on', async () => {
    const folder = dataFolder();
    await prepareDatabase(folder);
    const acknowledged: number[] = [];
    let server = await start(folder);
    const guest = (await (await fetch(`${server.url}/api/atoll/v1/me`)).json()) as { token: string };
    const upload = await beginUpload(server, guest.token);
    const writeUntilKilled = async (round: number) => {
      const deadline = acknowledged.length + 60;
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
    };
    await writeUntilKilled(0);
    server = await start(folder);
    await upload.goOn(server, folder);
    await writeUntilKilled(1);
    expect(acknowledged.length).toBeGreaterThanOrEqual(120);
    const names = await storedNames(folder);
    expect(acknowledged.filter((number) => !names.has(`file-${number}`))).toEqual([]);
  });
});

/** Sends a part of some bytes, and leaves the request open. */
async function beginUpload(server: Server, token: string) {
  const size = 1_000_000;
  const bytes = Buffer.alloc(size, 'the tide comes in ');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const slot = await post(server.url, '/v1/upload', { client_name: 'tides.txt' }, token);
  const { upload_id: id } = (await slot.json()) as { upload_id: string };
  const received = async ({ url }: Server) =>
    ((await (await fetch(`${url}/api/atoll/v1/upload/${id}`, { headers })).json()) as { received: number }).received;
  const cut = request(`${server.url}/api/atoll/v1/upload/${id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-range': `bytes 0-${size - 1}/${size}`, 'content-length': size },
  });
  cut.on('error', () => {});
  cut.write(bytes.subarray(0, 600_000));
  while ((await received(server)) === 0) await new Promise(setImmediate);

  /** Where the bytes stopped. */
  async function goOn(next: Server, folder: string): Promise<void> {
    const from = await received(next);
    expect(from).toBeGreaterThan(0);
    const rest = await fetch(`${next.url}/api/atoll/v1/upload/${id}`, {
      method: 'PUT',
      headers: { ...headers, 'content-range': `bytes ${from}-${size - 1}/${size}` },
      body: bytes.subarray(from),
    });
    expect(await rest.json()).toMatchObject({ is_complete: true, size });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const blob = join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    expect(bytes.equals(readFileSync(blob))).toBe(true);
  }
  return { goOn };
}

async function storedNames(folder: string): Promise<Set<string>> {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(join(folder, 'database'));
  const { rows } = await database.query<{ client_name: string }>('select client_name from uploads');
  await database.close();
  return new Set(rows.map((row) => row.client_name));
}
