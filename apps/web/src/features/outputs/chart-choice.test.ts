import { expect, test } from 'vitest';
import { chartCode, chartSpec, firstChoice, lastExpression, readingCode } from './chart-choice.ts';

const column = (name: string, kind: 'text' | 'number' | 'time') => ({
  name,
  isNumber: kind === 'number',
  isTime: kind === 'time',
});
const table = (...columns: ReturnType<typeof column>[]) => ({ columns, rows: [columns.map(() => 1)] });

test('the first chart fits the columns', () => {
  const [name, day, height, wind] = [
    column('name', 'text'),
    column('day', 'time'),
    column('height', 'number'),
    column('wind', 'number'),
  ];
  expect(firstChoice(table(name, height))).toMatchObject({ kind: 'bar', x: 0, y: 1, total: 'sum' });
  expect(firstChoice(table(height, day))).toMatchObject({ kind: 'line', x: 1, y: 0 });
  expect(firstChoice(table(height, wind))).toMatchObject({ kind: 'scatter', x: 0, y: 1 });
  expect(firstChoice(table(height))).toMatchObject({ kind: 'histogram' });
  expect(firstChoice(table(name))).toMatchObject({ kind: 'bar', total: 'count' });
});

test('the picture and the code say the same, whatever columns are called', () => {
  const odd = table(column('a "b".c', 'text'), column('y', 'number'));
  const choice = { kind: 'bar', x: 0, y: 1, total: 'mean' } as const;
  expect(chartSpec(odd, choice)).toMatchObject({
    encoding: { x: { field: 'c0', title: 'a "b".c' }, y: { field: 'c1', aggregate: 'mean' } },
  });
  expect(chartCode(odd, choice, 'tides')).toBe(
    [
      'import plotly.express as px',
      '',
      'data = tides',
      'totals = data.groupby("a \\"b\\".c", as_index=False)["y"].mean()',
      'px.bar(totals, x="a \\"b\\".c", y="y")',
    ].join('\n'),
  );
});

test('where the rows come from is written as code', () => {
  expect(readingCode('data/tides.csv')).toBe('pd.read_csv("data/tides.csv")');
  expect(readingCode('tides.tsv.gz')).toBe('pd.read_csv("tides.tsv.gz", sep="\\t")');
  expect(readingCode('tides.txt')).toBeNull();
  expect(['x = 1\ndata.head()', 'found', 'data["a"]', 'x = 1', 'for x in y:'].map(lastExpression)).toEqual([
    'data.head()',
    'found',
    'data["a"]',
    null,
    null,
  ]);
});
