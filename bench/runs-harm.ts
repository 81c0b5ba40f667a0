import { setTimeout } from 'node:timers/promises';
import type { Result } from './report.ts';
import type { World } from './runs-world.ts';

export const attacks: Record<string, string> = {
  'an endless loop': 'while True: pass',
  'a fork bomb': 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
  '10 GB of memory': 'x = []\nwhile True: x.append(bytearray(50_000_000))',
  'a 10 GB file': 'f = open("big", "wb")\nwhile True: f.write(b"x" * 10_000_000)',
  'endless output': 'while True: print("x" * 100)',
};

/** What others notice of one who does harm: their requests, before and meanwhile, in turn. */
export async function neighbours({ tell, port, token }: World): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, code] of Object.entries(attacks)) {
    const calm: number[] = [];
    const attacked: number[] = [];
    for (let round = 0; round < 3; round++) {
      await tell('hostile');
      // Time for the next spare.
      await setTimeout(3_000);
      calm.push(...(await requests(port, token)));
      await tell('attack', { code });
      attacked.push(...(await requests(port, token)));
      await tell('calm');
    }
    results.push({
      name: `others' requests beside ${name}, p95`,
      value: p95(attacked),
      unit: 'ms',
      peer: { name: 'without', value: p95(calm) },
      limit: { of: 'ratio', max: 1.2 },
    });
  }
  return results;
}

/** Somebody who asks for something twenty times a second. */
async function requests(port: number, token: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < 80; count++) {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/atoll/v1/notebooks`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - began);
    await setTimeout(50);
  }
  return times;
}

const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
