import { expect, test } from 'vitest';
import { nothingShown } from '../model.ts';
import { compareNotebooks } from './compare.ts';

const cell = (id: string, source = id) => ({
  id,
  rank: '',
  type: 'code' as const,
  source,
  metadata: {},
  attachments: null,
  revision: 1,
  ...nothingShown,
});

const rows = (left: string[], right: string[]) =>
  compareNotebooks(
    left.map((id) => cell(id)),
    right.map((id) => cell(id[0] as string, id)),
  ).map(({ id, state, isMoved }) => `${id} ${state}${isMoved ? ' moved' : ''}`);

test('two notebooks, cell by cell', () => {
  expect(rows(['a', 'b', 'c'], ['a', 'bb', 'x', 'c'])).toEqual(['a same', 'b changed', 'x added', 'c same']);
  expect(rows(['a', 'b', 'c'], ['c'])).toEqual(['a removed', 'b removed', 'c same']);
  expect(rows(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])).toEqual(['d same moved', 'a same', 'b same', 'c same']);
  expect(rows([], ['a'])).toEqual(['a added']);
  expect(rows(['a', 'b'], [])).toEqual(['a removed', 'b removed']);
});
