import { expect, test } from 'vitest';
import { timeInWords } from './words.ts';

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [12_000, '3 h 20 min'],
  [3_600_000, '1,000 h'],
])('%d seconds are %s', (seconds, words) => expect(timeInWords(seconds)).toBe(words));
