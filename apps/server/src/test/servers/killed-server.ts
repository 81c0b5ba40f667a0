import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ScriptedServer, startScriptedServer } from '@atoll/agent/scripted-server';
import type { ProjectDetail, Run } from '@atoll/contract';
import { testPython } from '@atoll/kernels/test-python';
import { afterAll, beforeAll, inject, onTestFinished, vi } from 'vitest';
import { reportWebFolder } from '../../features/reports/test-report.ts';
import { type BinanceTestServer, startBinanceTestServer } from '../../features/trading/worker/binance-test-server.ts';
import type { OpenDatabase } from '../../platform/db/database.ts';
import { freshDatabase } from '../fresh-database.ts';
import { isAlive, kernelHostOf, notebookProject, ServerClient } from '../server-client.ts';
import { compiledOnce } from '../server-process.ts';
import type { Plan } from '../stepped-server.ts';
import { testSecretKey } from '../test-app.ts';

/** A server process that is killed at the steps of what it does by itself, and started again on the same database. */

const folder = mkdtempSync(join(tmpdir(), 'atoll-killed-'));
/** A short path, for sockets. */
const kernels = mkdtempSync(join(tmpdir(), 'k-'));
const webFolder = reportWebFolder();
export const hour = 3_600_000;
/** Longer than a killed server's hold on its jobs and events. */
const lease = 61_000;

export let database: OpenDatabase;
let models: ScriptedServer;
export let exchange: BinanceTestServer;
export let aheadMs = 0;
export let env: Record<string, string | undefined> = {};
let running: Server | null = null;
/** Loading the server takes longer than all it does here: the next one does that while this one lives. */
let next: Promise<ChildProcess> | null = null;

export class Server extends ServerClient {
  readonly child: ChildProcess;

  constructor(child: ChildProcess, url: string, token: string) {
    super(url, token);
    this.child = child;
  }

  /** From now on; the clock only goes forward. */
  async follow(plan: Omit<Plan, 'aheadMs'>, laterMs = 0): Promise<void> {
    aheadMs += laterMs;
    await told(this.child, { aheadMs, ...plan });
  }

  died(): Promise<void> {
    return this.child.signalCode ? Promise.resolve() : once(this.child, 'exit').then(() => {});
  }

  kill(): Promise<void> {
    this.child.kill('SIGKILL');
    return this.died();
  }
}

async function told(child: ChildProcess, plan: Plan): Promise<string> {
  child.send(plan);
  const [url] = await once(child, 'message');
  return url as string;
}

async function load(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '../stepped-server.ts'), { env });
  await once(child, 'message');
  return child;
}

/** In the name of the same person as the one before it, whose hold on everything has ended. */
export async function start(plan: Omit<Plan, 'aheadMs'> = {}): Promise<Server> {
  const child = await (next ?? load());
  if (running) aheadMs += lease;
  running = new Server(child, await told(child, { aheadMs, ...plan }), running?.token ?? '');
  next = load();
  return running;
}

export const current = async () => (running && !running.child.signalCode ? running : start());

export async function endKernels(): Promise<void> {
  const host = kernelHostOf(folder);
  if (!host || !isAlive(host)) return;
  process.kill(host, 'SIGTERM');
  await vi.waitUntil(() => !isAlive(host), { timeout: 30_000 });
}
/** A cell that goes on until it is let go. */
const waiting = `import os, time
print("waiting", flush=True)
while not os.path.exists("go.txt"):
    time.sleep(0.05)
print("high water")`;

export async function waitingProject(server: Server) {
  const id = await notebookProject(server, [waiting]);
  const { default_file_id } = await server.call<ProjectDetail>('GET', `/v1/notebooks/${id}`);
  return { id, fileId: default_file_id ?? '' };
}
/** Of a run, the project's files are those it began with. */
export function letGo(): void {
  const folders = globSync('atoll-*/*/{,project/}main.ipynb', { cwd: kernels }).map((path) => dirname(path));
  if (folders.length !== 1) throw new Error(`${folders.length} runs have their files in ${kernels}`);
  writeFileSync(join(kernels, folders[0] ?? '', 'go.txt'), '');
}
export const runsOf = async (server: Server, project: string) =>
  (await server.call<{ entries: Run[] }>('GET', `/v1/notebooks/${project}/runs`)).entries;
export const isWaiting = async (server: Server, project: string) => {
  const [run] = await runsOf(server, project);
  if (!run) return false;
  const detail = await server.call('GET', `/v1/notebooks/${project}/runs/${run.id}`);
  return JSON.stringify(detail).includes('waiting\\n');
};

/** A webhook that keeps what it was sent. */
export async function startHook() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.headers['idempotency-key']));
    request.resume().on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

export function useKilledServers(): void {
  beforeAll(async () => {
    // Root's kernels are another user.
    chmodSync(kernels, 0o711);
    database = await freshDatabase();
    models = await startScriptedServer();
    exchange = await startBinanceTestServer();
    const { rows } = (await database.db.execute('select current_database() as name')) as unknown as {
      rows: { name: string }[];
    };
    env = {
      PATH: process.env.PATH,
      CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '',
      DATABASE_URL: inject('postgresUrl').replace(/\/postgres$/, `/${rows[0]?.name}`),
      ATOLL_DATA: folder,
      ATOLL_URL: 'http://localhost:4000',
      ATOLL_SECRET_KEYS: testSecretKey,
      ATOLL_LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
      ATOLL_KERNEL_FOLDER: kernels,
      ATOLL_KERNEL_SPARE: 'off',
      ATOLL_PYTHON: testPython,
      TEST_WEB_FOLDER: webFolder,
      ATOLL_AI_URL: models.url,
      ATOLL_AI_LOCAL: 'off',
      ATOLL_EXCHANGES: 'on',
      BINANCE_TESTNET_URL: exchange.url,
      ...compiledOnce,
    };
  });
  afterAll(async () => {
    (await next)?.kill('SIGKILL');
    await running?.kill();
    await endKernels();
    await models.close();
    await exchange.close();
    await database.close();
    for (const each of [folder, kernels, webFolder]) rmSync(each, { recursive: true, force: true });
  });
}
