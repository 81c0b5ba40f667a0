import { describe, expect, test } from 'vitest';
import { readNumbers, readTimes } from './bar-texts.ts';

const times = (...texts: string[]) =>
  [...readTimes({ name: 'Date', texts })].map((time) => new Date(time).toISOString().replace('.000Z', 'Z'));
const numbers = (...texts: string[]) => [...(readNumbers([{ name: 'Close', texts }])[0] ?? [])];

describe('times in a file of bars', () => {
  test.each([
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['20260301', '2026-03-01T00:00:00Z'],
    ['2026.03.01 14:30', '2026-03-01T14:30:00Z'],
    ['2026/3/1 4:05:06', '2026-03-01T04:05:06Z'],
    ['2026-03-01T14:30:00Z', '2026-03-01T14:30:00Z'],
    ['2026-03-01 14:30:00+05:30', '2026-03-01T09:00:00Z'],
    ['2026-03-01 14:30:00 UTC', '2026-03-01T14:30:00Z'],
    ['20260301 143000', '2026-03-01T14:30:00Z'],
    ['31.01.2026 23:00', '2026-01-31T23:00:00Z'],
    ['01.02.2026', '2026-02-01T00:00:00Z'],
    ['01/31/2026 12:30 AM', '2026-01-31T00:30:00Z'],
    ['31-01-2026, 11:30 pm', '2026-01-31T23:30:00Z'],
  ])('%s is %s', (text, expected) => expect(times(text)).toEqual([expected]));

  test('the whole column decides what comes first', () => {
    expect(times('12/01/2026', '13/01/2026')).toEqual(['2026-01-12T00:00:00Z', '2026-01-13T00:00:00Z']);
    expect(times('01/12/2026', '01/13/2026')).toEqual(['2026-01-12T00:00:00Z', '2026-01-13T00:00:00Z']);
    // Day by day over the end of a month: only one reading is in order.
    expect(times('09/01/2026', '10/01/2026', '01/02/2026')[2]).toBe('2026-02-01T00:00:00Z');
    expect(times('01/09/2026', '01/10/2026', '02/01/2026')[2]).toBe('2026-02-01T00:00:00Z');
  });

  test.each([
    [['2026-03-01', 'yesterday'], 'Column "Date", row 3: "yesterday" is not a time.'],
    [['2026-02-30'], 'Column "Date", row 2: "2026-02-30" is not a day of the calendar.'],
    [['2026-03-01 25:00'], 'Column "Date", row 2: "2026-03-01 25:00" is not a time.'],
    [
      ['13/01/2026', '01/14/2026'],
      'Column "Date", row 3: "01/14/2026" has day and month the other way round than before.',
    ],
    [
      ['01/02/2026', '02/03/2026'],
      'Column "Date", row 2: "01/02/2026" can begin with the day or the month. Write the year first: 2026-01-31.',
    ],
  ])('%j are refused', (texts, reason) => expect(() => times(...texts)).toThrow(reason));
});

describe('numbers in a file of bars', () => {
  test('with decimal points or commas, grouped or not', () => {
    expect(numbers('1', '2.5', '1,234.5', '-.5', '1e-3', '')).toEqual([1, 2.5, 1234.5, -0.5, 0.001, Number.NaN]);
    expect(numbers('1', '2,5', '1.234,5', '12,345678')).toEqual([1, 2.5, 1234.5, 12.345678]);
  });

  test('one way of writing in all columns', () => {
    const read = readNumbers([
      { name: 'Open', texts: ['1.234', '1.235'] },
      { name: 'Close', texts: ['1.234,5', '1.235,5'] },
    ]);
    expect(read.map((column) => [...column])).toEqual([
      [1234, 1235],
      [1234.5, 1235.5],
    ]);
  });

  test.each([
    [['1.5', 'n/a'], 'Column "Close", row 3: "n/a" is not a number.'],
    [['1,234', '1,235'], 'Column "Close", row 2: "1,234" can have a decimal point or comma.'],
    [['1,5', '2.25'], 'Column "Close", row 2: "1,5" is not a number.'],
  ])('%j are refused', (texts, reason) => expect(() => numbers(...texts)).toThrow(reason));
});
