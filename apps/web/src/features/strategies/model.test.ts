import type { StrategyParameter, SweepPoint } from '@atoll/contract/strategies/entity';
import { describe, expect, test } from 'vitest';
import {
  chosenValues,
  doneOf,
  heatGrid,
  parseCatalogue,
  rangeOf,
  readDocument,
  stepsOf,
  usualSettings,
  writeDocument,
} from './model.ts';

const parameter = (fields: Partial<StrategyParameter>): StrategyParameter => ({
  ...{
    name: 'fast',
    kind: 'integer',
    label: 'Fast',
    help: '',
    default: 20,
    min: 2,
    max: 200,
    step: null,
    choices: null,
  },
  ...fields,
});

describe('the document', () => {
  const text = '{"format":1,"kind":"strategy","code":"strategy.ts","parameters":{"fast":5},"note":"kept"}';

  test('is read as far as it can be', () => {
    expect(readDocument(text)).toEqual({ parameters: { fast: 5 }, settings: usualSettings });
    expect(readDocument('{')).toEqual({ parameters: {}, settings: usualSettings });
  });

  test('gets what was chosen, and keeps what it does not know', () => {
    const written = writeDocument(text, { fast: 7 }, usualSettings);
    expect(JSON.parse(written ?? '')).toMatchObject({ code: 'strategy.ts', parameters: { fast: 7 }, note: 'kept' });
    // Written once, there is nothing more to write.
    expect(writeDocument(written ?? '', { fast: 7 }, usualSettings)).toBeNull();
  });

  test('of a newer version, or of something else, is left alone', () => {
    expect(writeDocument('{"format":2,"kind":"strategy"}', {}, usualSettings)).toBeNull();
    expect(writeDocument('not json', {}, usualSettings)).toBeNull();
  });
});

test('parameters that are no longer declared are not sent', () => {
  expect(chosenValues([parameter({}), parameter({ name: 'slow', default: 50 })], { fast: 5, gone: 1 })).toEqual({
    fast: 5,
    slow: 50,
  });
});

test('a range keeps to whole numbers, steps and limits', () => {
  expect(rangeOf(parameter({ min: 2, max: 10 }), 3)).toEqual([2, 6, 10]);
  expect(rangeOf(parameter({ min: 1, max: 3 }), 10)).toEqual([1, 2, 3]);
  expect(rangeOf(parameter({ kind: 'number', min: 0, max: 1, step: 0.25 }), 5)).toEqual([0, 0.25, 0.5, 0.75, 1]);
  expect(stepsOf(0.1, 0.5, 0.1)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
  expect(stepsOf(2, 9, 3)).toEqual([2, 5, 8]);
  expect(stepsOf(2, 1, 3)).toEqual([]);
  expect(stepsOf(2, 5, 0)).toEqual([]);
  expect([doneOf(0.1, 100), doneOf(0.538, 100), doneOf(1, 100)]).toEqual([0, 34, 100]);
  expect(rangeOf(parameter({ kind: 'boolean' }), 5)).toEqual([false, true]);
  expect(rangeOf(parameter({ kind: 'choice', choices: ['a', 'b'] }), 5)).toEqual(['a', 'b']);
});

test('a sweep is a grid of two parameters, each cell the best of the others', () => {
  const point = (fast: number, slow: number, more: number, total_return: number | null): SweepPoint => ({
    ...{ parameters: { fast, slow, more }, problem: null, total_return, sharpe: null, max_drawdown: null },
    ...{ trades: 1, out_of_sample_return: null },
  });
  const points = [point(1, 10, 0, 0.1), point(1, 10, 1, 0.3), point(2, 10, 0, null), point(1, 20, 0, -0.1)];
  const { x, y, cells } = heatGrid(points, { fast: [1, 2], slow: [10, 20], more: [0, 1] });
  expect([x, y]).toEqual(['fast', 'slow']);
  expect(cells.map((row) => row.map((cell) => cell?.total_return ?? null))).toEqual([
    [0.3, null],
    [-0.1, null],
  ]);
});

test('the address of the catalogue takes nothing that is not offered', () => {
  expect(parseCatalogue({ search: 'x', sort: 'sharpe', checked: true, page: 2 })).toEqual({
    ...{ search: 'x', sort: 'sharpe', checked: true, page: 2 },
  });
  expect(parseCatalogue({ search: 3, sort: 'password', checked: 'no', page: -1 })).toEqual({});
});
