import { expect, test } from 'vitest';
import { lineOf } from './line.ts';

test('draws values from left to right, the largest at the top', () => {
  expect(lineOf([0, 5, 10], 100, 50)).toEqual({ points: '0,50 50,25 100,0', top: 10 });
});

test('draws nothing that happened as a line at the bottom', () => {
  expect(lineOf([0, 0], 100, 50)).toEqual({ points: '0,50 100,50', top: 1 });
  expect(lineOf([3], 100, 50).points).toBe('0,0');
});
