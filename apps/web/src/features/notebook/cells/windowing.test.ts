import { expect, test } from 'vitest';
import { segmentsOf } from './windowing.ts';

const ids = Array.from({ length: 130 }, (_, index) => `c${index}`);

test('puts cells far from the viewport into boxes of many', () => {
  const segments = segmentsOf(ids, (id) => id === 'c0' || id === 'c60');
  expect(segments.map((each) => ('ids' in each ? each.ids.length : each.id))).toEqual(['c0', 50, 9, 'c60', 50, 19]);
  expect(segments.flatMap((each) => ('ids' in each ? each.ids : each.id))).toEqual(ids);
});
