import { setTimeout } from 'node:timers/promises';
import { median, p95, type Result } from './report.ts';
import type { World } from './runs-world.ts';

const attacks: Record<string, string> = {
  'an endless loop': 'while True: pass',
  'a fork bomb': 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
  '10 GB of memory': 'x = []\nwhile True: x.append(bytearray(50_000_000))',
  'a 10 GB file': 'f = open("big", "wb")\nwhile True: f.write(b"x" * 10_000_000)',
  'endless output': 'while True: print("x" * 100)',
};

/** Something that comes to a bad end, and from when on its user waits for the reason. */
export interface Ending {
  code: string;
  /** A pattern. */
  reason: string;
  kills?: 'kernel' | 'host';
  /** Its end, where it takes its time to get there; else its beginning, or when it is killed or has to end. */
  from?: 'end';
  longestMs?: number;
}
export interface Told {
  reason: string | null;
  after: number;
}

const endings: Record<string, Ending> = {
  'os._exit': { code: 'import os\nos._exit(7)', reason: 'ended itself with code 7' },
  'a segmentation fault': { code: 'import ctypes\nctypes.string_at(0)', reason: 'SIGSEGV' },
  'a fork bomb': { code: attacks['a fork bomb'] ?? '', reason: 'processes and threads', from: 'end' },
  '10 GB of memory': { code: attacks['10 GB of memory'] ?? '', reason: 'of memory', from: 'end' },
  'a 10 GB file': { code: attacks['a 10 GB file'] ?? '', reason: 'File too large', from: 'end' },
  '10 GB of files': {
    code: 'for i in range(100):\n    with open(f"/tmp/{i}", "wb") as f: f.write(b"x" * 100_000_000)',
    // Where each kernel has a file system of its own, that is full first.
    reason: 'of files|No space left',
    from: 'end',
  },
  'endless output': { code: attacks['endless output'] ?? '', reason: 'more than 50 MB', from: 'end' },
  'an endless loop': { code: attacks['an endless loop'] ?? '', reason: 'longer than your plan allows', longestMs: 500 },
  'a kill of the kernel': { code: attacks['an endless loop'] ?? '', reason: 'SIGKILL', kills: 'kernel' },
  'a kill of the host': { code: attacks['an endless loop'] ?? '', reason: 'has ended', kills: 'host' },
};

/** How soon the reason of a bad end is known. */
export async function told({ tell }: World): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, ending] of Object.entries(endings)) {
    const { reason, after } = await tell<Told>('end', { ending });
    const isRight = new RegExp(ending.reason).test(reason ?? '');
    results.push({
      name: `the reason is stored and told after ${name}${isRight ? '' : `, which is another one: ${reason}`}`,
      value: isRight ? after : Number.POSITIVE_INFINITY,
      unit: 'ms',
      limit: { of: 'value', max: 2_000 },
    });
  }
  return results;
}

/** What others notice of one who does harm: their requests, before and meanwhile, in turn. */
export async function neighbours({ tell, port, others }: World, only = Object.keys(attacks)): Promise<Result[]> {
  const results: Result[] = [];
  // What is asked for often has been compiled; that is not to be counted as calm.
  for (let round = 0; round < 4; round++) await requests(port, others);
  for (const [name, code] of Object.entries(attacks)) {
    if (!only.includes(name)) continue;
    const calm: number[] = [];
    const attacked: number[] = [];
    // Of each round by itself: a machine that is slow for a moment has one bad round, and not a twentieth of everything.
    for (let round = 0; round < 7; round++) {
      await tell('hostile');
      // Time for the next spare.
      await setTimeout(3_000);
      calm.push(p95(await requests(port, others)));
      await tell('attack', { code });
      attacked.push(p95(await requests(port, others)));
      await tell('calm');
    }
    results.push({
      name: `others' requests beside ${name}, p95`,
      value: median(attacked),
      unit: 'ms',
      peer: { name: 'without', value: median(calm) },
      limit: { of: 'ratio', max: 1.2 },
    });
  }
  return results;
}

/** Others who ask for something, together about thirty times a second. */
async function requests(port: number, others: string[]): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 160; count++) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/atoll/v1/notebooks`, {
      headers: { authorization: `Bearer ${others[count % others.length]}` },
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    times.push(performance.now() - began);
    await setTimeout(20);
  }
  return times;
}
