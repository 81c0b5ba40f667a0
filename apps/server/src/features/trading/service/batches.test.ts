import { expect, test, vi } from 'vitest';
import { Batches } from './batches.ts';

const done = (value: number): PromiseSettledResult<number> => ({ status: 'fulfilled', value });

test('does at once what comes first, and together what comes meanwhile, in its order', async () => {
  const seen: number[][] = [];
  const batches = new Batches(async (all: number[]) => {
    seen.push(all);
    await new Promise(setImmediate);
    return all.map(done);
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map(batches.add))).toEqual([1, 2, 3, 4, 5]);
  expect(seen).toEqual([[1], [2], [3, 4, 5]]);
  expect(await batches.add(6)).toBe(6);
});

test('one that is refused refuses no other; when all fail together, each is tried by itself', async () => {
  const tries: number[][] = [];
  const batches = new Batches(async (all: number[]) => {
    tries.push(all);
    if (all.includes(5)) throw new Error('broken');
    return all.map((each) => (each === 3 ? { status: 'rejected', reason: new Error('refused') } : done(each)));
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(batches.add));
  expect(tries).toEqual([[1], [2], [3, 4, 5, 6], [3], [4], [5], [6]]);
  expect(outcomes).toMatchObject([
    ...[1, 2].map(done),
    { reason: { message: 'refused' } },
    done(4),
    { reason: { message: 'broken' } },
    done(6),
  ]);
});

test('what could not be done for long is not tried again when it could be', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const tries: number[][] = [];
  const batches = new Batches(async (all: number[]) => {
    tries.push(all);
    await new Promise(setImmediate);
    if (!all.includes(3)) return all.map(done);
    now += 30_000;
    throw new Error('no connection');
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(batches.add));
  clock.mockRestore();
  expect(tries).toEqual([[1], [2], [3, 4]]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
});
