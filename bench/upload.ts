import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import type { Result } from './report.ts';

const size = 100 * 1024 ** 2;
const partSize = 8 * 1024 ** 2;
const rounds = 7;
/** At least 0.7 of the peer's speed is at most so much of its time. */
const slowest = 1 / 0.7;

/**
 * 100 MB to the product as it is started, at once and in the browser's parts, beside a bare server; turn about. The best
 * round of each counts: what else the machine does can only add to it.
 */
export async function upload(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const file = join(folder, 'content');
  const content = Buffer.alloc(size);
  randomFillSync(content);
  writeFileSync(file, content);
  const peer = fork(join(import.meta.dirname, 'upload-peer.ts'), [folder]);
  const server = await startServer(folder);
  try {
    const [port] = (await once(peer, 'message')) as [number];
    const bare = () => send(`http://127.0.0.1:${port}/`, file);
    const times = { whole: [] as number[], parts: [] as number[], bare: [] as number[], bareParts: [] as number[] };
    const growth: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const before = await settledMegabytes(server.child);
      const watch = watchMemory(server.child);
      const whole = await timed(async () => send(await server.slot(), file, server.token));
      const parts = await timed(async () => sendParts(await server.slot(), file, server.token));
      const peak = watch.stop();
      const alone = await timed(bare);
      const aloneInParts = await timed(() => sendParts(`http://127.0.0.1:${port}/`, file));
      growth.push(peak - before);
      // For speed the first round only warms all of them up.
      if (round === 0) continue;
      times.whole.push(whole);
      times.parts.push(parts);
      times.bare.push(alone);
      times.bareParts.push(aloneInParts);
    }
    const best = (seconds: number[]) => Math.min(...seconds);
    const peerOf = (seconds: number[]) => ({
      name: 'a bare server that streams to disk with SHA-256',
      value: best(seconds),
    });
    const limit = { of: 'ratio' as const, max: Number(slowest.toFixed(2)) };
    const [whole, parts] = [best(times.whole), best(times.parts)];
    const [first = Number.NaN, ...later] = growth;
    const memory = { unit: 'MB', limit: { of: 'value' as const, max: 50 } };
    return [
      { name: '100 MB at once', value: whole, unit: 's', peer: peerOf(times.bare), limit },
      { name: '100 MB in parts of 8 MB', value: parts, unit: 's', peer: peerOf(times.bareParts), limit },
      { name: 'memory the server grows by in the first upload after its start', value: first, ...memory },
      { name: 'memory it grows by in a later one, at most', value: Math.max(...later), ...memory },
    ];
  } finally {
    await Promise.all([end(peer), end(server.child)]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startServer(folder: string) {
  const collect = join(import.meta.dirname, 'collect-garbage.ts');
  const child = spawn(
    process.execPath,
    ['--import', collect, join(import.meta.dirname, '../apps/server/src/main.ts')],
    {
      env: {
        PATH: process.env.PATH,
        ATOLL_DATA: join(folder, 'data'),
        PORT: '0',
        ATOLL_LOG_LEVEL: 'warn',
        ATOLL_PYTHON: process.env.ATOLL_PYTHON,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^Ready at (http\S+)/.exec(line)?.[1];
      if (ready) resolve(ready);
    });
    child.once('exit', () => reject(new Error('The server did not start')));
  });
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${url}/api/atoll${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  const account = { email: 'bench@example.org', password: 'a long enough password', user_name: 'bench' };
  const { token = '' } = await post('/v1/sign_up', account);
  const slot = async () => url + (await post('/v1/upload', { client_name: 'content.bin' }, token)).url;
  return { child, token, slot };
}

async function send(url: string, file: string, token = '', part?: { start: number; end: number }): Promise<void> {
  const { start, end } = part ?? { start: 0, end: size - 1 };
  const put = request(url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': end - start + 1,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(part ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    },
  });
  createReadStream(file, { start, end, highWaterMark: 256 * 1024 }).pipe(put);
  const [response] = await once(put, 'response');
  const isOurs = token !== '';
  const answer = isOurs ? await json(response) : response.resume();
  if (response.statusCode !== 200) throw new Error(`The upload answered ${JSON.stringify(answer)}`);
}

async function sendParts(url: string, file: string, token = ''): Promise<void> {
  for (let start = 0; start < size; start += partSize)
    await send(url, file, token, { start, end: Math.min(start + partSize, size) - 1 });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

const residentMegabytes = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** What it holds when it has thrown away all it can. */
async function settledMegabytes(child: ChildProcess): Promise<number> {
  child.kill('SIGUSR2');
  let [last, current] = [0, residentMegabytes(child)];
  for (let n = 0; n < 20 && Math.abs(current - last) > 0.5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    [last, current] = [current, residentMegabytes(child)];
  }
  return current;
}

function watchMemory(child: ChildProcess) {
  let peak = 0;
  const sample = () => {
    peak = Math.max(peak, residentMegabytes(child));
  };
  const timer = setInterval(sample, 10);
  return {
    stop() {
      sample();
      clearInterval(timer);
      return peak;
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
