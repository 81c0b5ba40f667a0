import { expect, test } from 'vitest';
import { mapInBatches } from './in-batches.ts';

test('maps many items in order, and lets others work in between', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 1_000) setImmediate(count);
  };
  const items = Array.from({ length: 25_000 }, (_, index) => index);
  setImmediate(count);
  const doubled = await mapInBatches(items, (item, index) => item + index);
  expect(turns).toBeGreaterThan(10);
  expect(doubled).toEqual(items.map((item) => 2 * item));
  expect(await mapInBatches([], (item) => item)).toEqual([]);
});
