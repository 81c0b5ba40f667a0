import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sumsBeside, worker } from './kernels.ts';
import { median, type Result } from './report.ts';
import { neighbours, told } from './runs-harm.ts';
import { type World, withServer } from './runs-world.ts';

interface Ran {
  times: number[];
  lines: number;
  more: number;
}

/** The whole way: from the server's call over the host to the kernel, and back until it is stored in PostgreSQL. */
export const runs = (): Promise<Result[]> =>
  withServer(async (world) => [
    ...(await sums(world)),
    ...(await lines(world)),
    await warm(world),
    ...(await neighbours(world)),
    ...(await told(world)),
  ]);

const sums = ({ tell, runFolder }: World): Promise<Result[]> =>
  sumsBeside(
    "1+1 from the server's call to its result stored",
    addressIn(runFolder),
    async () => (await tell<Ran>('run', { code: '1+1', times: 20 })).times,
  );

/** The kernel in use is the one that was started first; a spare came after it. */
function addressIn(runFolder: string) {
  const found = readdirSync(runFolder)
    .filter((name) => name.startsWith('kernel-'))
    .map((name) => join(runFolder, name, 'connection'));
  const [connection = ''] = found;
  const { key } = JSON.parse(readFileSync(join(connection, 'connection.json'), 'utf8')) as { key: string };
  return { key, prefix: join(connection, 's') };
}

async function lines({ tell }: World): Promise<Result[]> {
  const count = 100_000;
  const code = `for i in range(${count}): print(i)`;
  const ours: Ran[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 25; round++) {
    ours.push(await tell<Ran>('run', { code, times: 1 }));
    const client = await worker('bare');
    bare.push((await client.run(code, 1)).times[0] ?? Number.NaN);
    await client.close();
  }
  const name = `${count.toLocaleString('en')} lines printed one by one, stored`;
  return [
    {
      name,
      value: median(ours.map(({ times }) => times[0] ?? Number.NaN)),
      unit: 'ms',
      peer: { name: 'a bare ZeroMQ client that throws them away', value: median(bare) },
      limit: { of: 'ratio', max: 1.2 },
    },
    {
      name: `${name}: more memory in the server`,
      value: median(ours.map(({ more }) => more)) / 1e6,
      unit: 'MB',
      limit: { of: 'value', max: 50 },
    },
    {
      name: `${name}: lost`,
      value: Math.max(...ours.map((ran) => count - ran.lines)),
      unit: 'lines',
      limit: { of: 'value', max: 0 },
    },
  ];
}

async function warm({ tell }: World): Promise<Result> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    // Time for the next spare.
    await setTimeout(3_000);
    times.push(await tell<number>('first'));
  }
  return {
    name: 'first cell on a warm spare, stored',
    value: median(times),
    unit: 'ms',
    limit: { of: 'value', max: 150 },
  };
}
