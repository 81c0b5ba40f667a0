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
  it('carries all chosen settings', () => {
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

  it('leaves out unreadable parts', () => {
    const parsed = parseTableSearch({
      where: ['nonsense', '["a","drop","x"]', '["a","equals",[1]]', '["a","equals","x"]'],
    });
    expect(parsed.where).toEqual(['["a","equals","x"]']);
    expect(toState(parseTableSearch({ sort_by: ['a'], where: 7 }))).toEqual({ filters: [] });
  });
});

it('changes the sort order from ascending to descending to none', () => {
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
  it('accept the operators that fit the type of their column', () => {
    expect(filterValue('greater', 'number', ['many', ''])).toHaveProperty('problem');
    expect(filterValue('between', 'number', ['1', ''])).toHaveProperty('problem');
    expect(filterValue('between', 'number', ['1', '2'])).toEqual({ value: ['1', '2'] });
    expect(filterValue('one_of', 'text', ['a\n b \n\n', ''])).toEqual({ value: ['a', 'b'] });
    expect(filterValue('is_empty', 'text', ['x', ''])).toEqual({});
  });

  it('are described in words', () => {
    expect(filterWords({ column: 'day', operator: 'greater', value: '2026-01-01' }, 'time')).toBe(
      'day is after 2026-01-01',
    );
    expect(filterWords({ column: 'n', operator: 'between', value: ['1', '2'] })).toBe('n is between 1 and 2');
  });
});

it('copies rows in the format of spreadsheets', () => {
  expect(
    toTsv([
      [1, null, true],
      ['a\tb', 'say "hi"', 'two\nlines'],
    ]),
  ).toBe('1\t\ttrue\n"a\tb"\t"say ""hi"""\t"two\nlines"');
});
