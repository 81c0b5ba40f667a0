import { describe, expect, it } from 'vitest';
import {
  filterValue,
  filterWords,
  nextSort,
  parseTableSearch,
  type TableState,
  toSearch,
  toState,
  toTsv,
} from './model.ts';

describe('the address of a table', () => {
  it('carries everything that is chosen', () => {
    const state: TableState = {
      sort: { column: 'a, "b" & -c', direction: 'desc' },
      filters: [
        { column: 'x', operator: 'between', value: ['1', '2'] },
        { column: 'y', operator: 'is_empty' },
      ],
      search: 'harbour',
      sheet: 'Sheet 1',
    };
    expect(toState(parseTableSearch({ ...toSearch(state) }))).toEqual(state);
    expect(toSearch({ filters: [] })).toEqual({});
  });

  it('leaves out what it cannot read', () => {
    const parsed = parseTableSearch({
      where: ['nonsense', '["a","drop","x"]', '["a","equals",[1]]', '["a","equals","x"]'],
    });
    expect(parsed.where).toEqual(['["a","equals","x"]']);
    expect(toState(parseTableSearch({ sort_by: ['a'], where: 7 }))).toEqual({ filters: [] });
  });
});

it('sorts up, down, and not', () => {
  const up = nextSort(undefined, 'a');
  const down = nextSort(up, 'a');
  expect([up?.direction, down?.direction, nextSort(down, 'a'), nextSort(down, 'b')?.column]).toEqual([
    'asc',
    'desc',
    undefined,
    'b',
  ]);
});

describe('filters', () => {
  it('take what their column can be compared with', () => {
    expect(filterValue('greater', 'number', ['many', ''])).toHaveProperty('problem');
    expect(filterValue('between', 'number', ['1', ''])).toHaveProperty('problem');
    expect(filterValue('between', 'number', ['1', '2'])).toEqual({ value: ['1', '2'] });
    expect(filterValue('one_of', 'text', ['a\n b \n\n', ''])).toEqual({ value: ['a', 'b'] });
    expect(filterValue('is_empty', 'text', ['x', ''])).toEqual({});
  });

  it('are told in words', () => {
    expect(filterWords({ column: 'day', operator: 'greater', value: '2026-01-01' }, 'time')).toBe(
      'day is after 2026-01-01',
    );
    expect(filterWords({ column: 'n', operator: 'between', value: ['1', '2'] })).toBe('n is between 1 and 2');
  });
});

it('copies rows as a spreadsheet takes them', () => {
  expect(
    toTsv([
      [1, null, true],
      ['a\tb', 'say "hi"', 'two\nlines'],
    ]),
  ).toBe('1\t\ttrue\n"a\tb"\t"say ""hi"""\t"two\nlines"');
});
