import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Result } from './report.ts';

const rounds = 9;
const requestsPerRound = 1_500;
const concurrency = 8;

/** GET /v1/me over HTTP beside a bare Fastify handler that makes the same two queries; turn about, in one run. */
export async function me(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
  const server = fork(join(import.meta.dirname, 'me-servers.ts'), [folder]);
  try {
    const [{ ours, bare, token }] = (await once(server, 'message')) as [{ ours: string; bare: string; token: string }];
    const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
    // The first round warms both up and does not count.
    for (let round = 0; round <= rounds; round++) {
      const [a, b] = [await perRequest(ours, token), await perRequest(bare, token)];
      if (round > 0) {
        times.ours.push(a);
        times.bare.push(b);
      }
    }
    return [
      {
        name: 'GET /v1/me over HTTP',
        value: median(times.ours),
        unit: 'ms a request',
        peer: { name: 'bare Fastify with the same two queries', value: median(times.bare) },
        limit: { of: 'ratio', max: 2.5 },
      },
    ];
  } finally {
    await end(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** Wall time divided by requests, with a few of them under way at once. */
async function perRequest(url: string, token: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let left = requestsPerRound;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await request(url, token, agent);
    }),
  );
  const elapsed = performance.now() - began;
  agent.destroy();
  return elapsed / requestsPerRound;
}

function request(url: string, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`Status ${response.statusCode}`)),
      );
    }).once('error', reject);
  });
}
