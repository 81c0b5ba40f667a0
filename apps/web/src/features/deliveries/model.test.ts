import { expect, test } from 'vitest';
import { addressesIn } from './model.ts';

test('addresses are separated by anything people use', () => {
  expect(addressesIn('a@example.org, b@example.org;\nc@example.org  a@example.org')).toEqual([
    'a@example.org',
    'b@example.org',
    'c@example.org',
  ]);
  expect(addressesIn(' \n')).toEqual([]);
});
