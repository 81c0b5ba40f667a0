import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Notebook, topicName, topics } from '@atoll/contract';
import { startS3 } from '@atoll/storage/s3-test-server';
import { Socket } from 'phoenix';
import { WebSocket } from 'ws';
import { freePort } from '../apps/server/src/test/machine.ts';
import { notebookProject, ServerClient, signUp } from '../apps/server/src/test/server-client.ts';
import { startNats } from '../apps/server/src/test/servers/nats-server.ts';
import { p95, type Result } from './report.ts';
import { durable, withPool, withPostgres } from './set-up.ts';

const people = 20;
const editsEach = 500;
/** Every so many edits the notebook is saved by hand, so that saves come between edits all the time. */
const savedEvery = 7;

/** Twenty people write in ten notebooks, two in each by different servers; every answered edit has to be there from then on. */
export const soak = (): Promise<Result[]> =>
  withPostgres(durable, async (urlOf) => {
    const [s3, nats] = [await startS3(), await startNats()];
    const folder = mkdtempSync(join(tmpdir(), 'atoll-soak-'));
    const children: ChildProcess[] = [];
    const start = async (name: string) => {
      const port = await freePort();
      const { options } = s3;
      const env = {
        ...process.env,
        ATOLL_DATA: join(folder, name),
        ATOLL_URL: `http://127.0.0.1:${port}`,
        ATOLL_SECRET_KEYS: '0'.repeat(64),
        ATOLL_LOG_LEVEL: 'error',
        ATOLL_KERNEL_SPARE: 'off',
        PORT: String(port),
        DATABASE_URL: urlOf('postgres'),
        NATS_URL: nats.url,
        S3_ENDPOINT: options.endpoint,
        S3_BUCKET: options.bucket,
        S3_REGION: options.region,
        S3_ACCESS_KEY_ID: options.accessKeyId,
        S3_SECRET_ACCESS_KEY: options.secretAccessKey,
      };
      const main = join(import.meta.dirname, '../apps/server/src/main.ts');
      children.push(fork(main, [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
      await untilReady(`http://127.0.0.1:${port}`);
      return `http://127.0.0.1:${port}`;
    };
    try {
      const urls = [await start('one'), await start('two')];
      const writers = (await Promise.all(Array.from({ length: people / 2 }, () => pairOf(urls)))).flat();
      await Promise.all(writers.map((writer) => writer.write()));
      const found = await Promise.all(writers.map((writer) => writer.missing()));
      for (const writer of writers) writer.close();
      const deadlocks = await withPool(urlOf('postgres'), 1, async (pool) => {
        const { rows } = await pool.query('select sum(deadlocks)::int as count from pg_stat_database');
        return rows[0].count as number;
      });
      const sum = (values: number[]) => values.reduce((total, each) => total + each, 0);
      const none = { unit: '', limit: { of: 'value' as const, max: 0 } };
      const answered = sum(writers.map(({ answered }) => answered.size));
      return [
        { name: `edits lost, of ${answered} that were answered`, value: sum(found), ...none },
        { name: 'reads that lacked an answered edit', value: sum(writers.map(({ gaps }) => gaps)), ...none },
        { name: 'edits refused', value: sum(writers.map(({ refused }) => refused)), ...none },
        { name: 'deadlocks', value: deadlocks, ...none },
        {
          name: 'an edit of twenty people who write without a pause, p95',
          value: p95(writers.flatMap(({ times }) => times)),
          unit: 'ms',
          limit: { of: 'value', max: 1_000 },
        },
      ];
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await nats.stop();
      await s3.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`${url}/api/atoll/ready`).catch(() => null);
    if (answer?.ok) return;
    await setTimeout(100);
  }
  throw new Error('The server did not start');
}

/** Two windows of one person in one notebook, each on a server of its own. */
async function pairOf(urls: string[]): Promise<Writer[]> {
  const client = new ServerClient(urls[0] ?? '');
  await signUp(client);
  const projectId = await notebookProject(client, ['first', 'second', 'third']);
  const { default_file_id } = await client.call<{ default_file_id: string }>('GET', `/v1/notebooks/${projectId}`);
  const address = { projectId, fileId: default_file_id };
  return Promise.all(urls.map((url, place) => Writer.open(new ServerClient(url, client.token), address, `w${place}`)));
}

class Writer {
  readonly answered = new Set<string>();
  readonly times: number[] = [];
  gaps = 0;
  refused = 0;
  readonly #socket: PhoenixSocket;
  readonly #channel: ReturnType<PhoenixSocket['channel']>;
  readonly #name: string;

  constructor(socket: PhoenixSocket, channel: ReturnType<PhoenixSocket['channel']>, name: string) {
    this.#socket = socket;
    this.#channel = channel;
    this.#name = name;
  }

  static async open(client: ServerClient, address: { projectId: string; fileId: string }, name: string) {
    const { token } = await client.call<{ token: string }>('POST', '/v1/me/socket_token', {});
    const socket = new Socket(`${client.url.replace('http', 'ws')}/api/atoll/socket`, {
      transport: WebSocket,
      authToken: token,
    });
    socket.connect();
    const channel = socket.channel(topicName(topics.notebook, address));
    await new Promise((resolve, reject) => channel.join().receive('ok', resolve).receive('error', reject));
    return new Writer(socket, channel, name);
  }

  #push = <Answer>(event: string, payload: object): Promise<Answer> =>
    new Promise((resolve, reject) =>
      this.#channel
        .push(event, payload, 60_000)
        .receive('ok', resolve)
        .receive('error', reject)
        .receive('timeout', () => reject(new Error(`${event} was not answered`))),
    );

  async write(): Promise<void> {
    for (let edit = 0; edit < editsEach; edit++) {
      const id = `${this.#name}-${edit}`;
      const cell = { id, type: 'code', source: id, metadata: {}, attachments: null };
      const began = performance.now();
      try {
        await this.#push('insert_cell', { request_id: crypto.randomUUID(), cell, after_id: null });
        this.times.push(performance.now() - began);
        this.answered.add(id);
      } catch {
        this.refused += 1;
      }
      if (edit % savedEvery === 0) await this.#push('save_version', { request_id: crypto.randomUUID() });
      if (edit % savedEvery === 3 && (await this.missing()) > 0) this.gaps += 1;
    }
  }

  async missing(): Promise<number> {
    const { cells } = await this.#push<Notebook>('get_notebook', {});
    const there = new Set(cells.map(({ id }) => id));
    return [...this.answered].filter((id) => !there.has(id)).length;
  }

  close(): void {
    this.#socket.disconnect();
  }
}
