import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BarProblem, readTable } from './bar-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'atoll-bars-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: string, symbol = 'GOLD/USD') {
  const path = join(folder, 'bars.csv');
  writeFileSync(path, content);
  return readTable({ type: 'table', path, format: 'csv', isOneOfSeveral: false }, symbol);
}

const first = Date.parse('2026-03-01T00:00:00Z');
const header = 'time;open;high;low;close;volume';
const at = (time: (milliseconds: number) => string, everyMs: number, prices = '100.25;101.5;99;100;1000') =>
  [header, ...[0, 1, 2].map((index) => `${time(first + index * everyMs)};${prices}`)].join('\n');
const [hour, day] = [3_600_000, 86_400_000];
const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
const german = (time: number) => iso(time).split('-').reverse().join('.');
const american = (time: number) => `${iso(time).slice(5, 7)}/${iso(time).slice(8)}/${iso(time).slice(0, 4)}`;
const times = (everyMs: number) => [0, 1, 2].map((index) => first + index * everyMs);

test.each<[string, string, number]>([
  ['seconds', at((time) => String(time / 1_000), hour), hour],
  ['milliseconds', at(String, hour), hour],
  ['microseconds', at((time) => `${time}000`, hour), hour],
  ['nanoseconds', at((time) => `${time}000000`, hour), hour],
  ['minutes past the hour', at((time) => new Date(time).toISOString(), 60_000), 60_000],
  ['another zone', at((time) => new Date(time + 2 * hour).toISOString().replace('Z', '+02:00'), hour), hour],
  ['days as numbers', at((time) => iso(time).replaceAll('-', ''), day), day],
  ['days with dots and decimal commas', at(german, day, '100,25;101,5;99;100;1.000'), day],
  ['days that are first', at((time) => german(time).replaceAll('.', '/'), 20 * day), 20 * day],
  ['months that are first', at(american, 20 * day), 20 * day],
])('a file with %s is read', async (_name, content, everyMs) => {
  const bars = await read(content);
  expect([...bars.time]).toEqual(times(everyMs));
  expect([bars.open, bars.high, bars.low, bars.close, bars.volume].map(([value]) => value)).toEqual([
    ...[100.25, 101.5, 99, 100, 1000],
  ]);
});

test('names in brackets, the time of day in a column of its own', async () => {
  const rows = ['2026.03.01\t00:00:00', '2026.03.01\t01:00:00'].map((time) => `${time}\t1\t2\t0.5\t1.5\t7`);
  const content = ['<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>', ...rows].join('\n');
  const { time, close, volume } = await read(content);
  expect([[...time], [...close], [...volume]]).toEqual([
    [first, first + hour],
    [1.5, 1.5],
    [7, 7],
  ]);
});

test('what is no time or no number is named by its column and row', async () => {
  const refused = (content: string) => expect(read(content)).rejects.toThrow;
  const row = (time: string, open: string) => `${time};${open};101;99;100;1`;
  await refused([header, row('2026-03-01', '1'), row('soon', '1')].join('\n'))('Column "time", row 3: "soon"');
  await refused([header, row('01/02/2026', '1')].join('\n'))('Column "time", row 2: "01/02/2026" can begin with');
  await refused([header, row('2026-03-01', '1'), row('2026-03-02', 'x')].join('\n'))('Column "open", row 3: "x"');
  await expect(read(header)).resolves.toMatchObject({ time: new Float64Array() });
});

test('a file of several markets has the one that is asked for', async () => {
  const row = (symbol: string, close: number) => `${symbol},2026-03-01T00:00:00Z,1,9,0.5,${close},1`;
  const content = ['symbol,time,open,high,low,close,volume', row('GOLD-USD', 2), row('OIL-USD', 3)].join('\n');
  expect([...(await read(content, 'OIL/USD')).close]).toEqual([3]);
  const none = read(content, 'TIN/USD');
  await expect(none).rejects.toThrow('The file has no bars of TIN/USD. It has GOLD-USD, OIL-USD.');
  await expect(none).rejects.toBeInstanceOf(BarProblem);
});
