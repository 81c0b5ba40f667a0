import { expect, test } from 'vitest';
import { windowOf } from './snapshot.ts';

const day = 86_400_000;

test('a return of so many days is told where the values are near enough to say', () => {
  const daily = { time: [0, 1, 2, 3].map((at) => at * day), equity: [1, 1.1, 1.2, 1.5] };
  expect(windowOf(daily, 1).value).toBeCloseTo(0.25);
  expect(windowOf(daily, null).value).toBeCloseTo(0.5);
  expect(windowOf(daily, 7)).toMatchObject({ value: null, reason: 'too short' });
  const sparse = { time: [0, 3, 6].map((at) => at * day), equity: [1, 1.1, 1.2] };
  expect(windowOf(sparse, 1)).toMatchObject({ value: null, reason: expect.stringContaining('too far apart') });
  expect(windowOf(sparse, 3).value).toBeCloseTo(1.2 / 1.1 - 1);
  expect(windowOf({ time: [0], equity: [1] }, null).value).toBeNull();
});
