/** What a table is for a chart: its columns by kind, and rows. */
export interface ChartTable {
  columns: readonly { name: string; isNumber: boolean; isTime: boolean }[];
  rows: readonly (readonly (string | number | boolean | null)[])[];
}

export const chartKinds = { bar: 'Bar', line: 'Line', scatter: 'Scatter', histogram: 'Histogram' } as const;
export type ChartKind = keyof typeof chartKinds;

export const totals = { sum: 'Sum', mean: 'Average', count: 'Count of rows' } as const;
export type Total = keyof typeof totals;

export interface ChartChoice {
  kind: ChartKind;
  /** Columns by their place. */
  x: number;
  y: number;
  total: Total;
}

/** What one would draw first: numbers over time, else by the first text. */
export function firstChoice({ columns }: ChartTable): ChartChoice {
  const find = (test: (column: ChartTable['columns'][number]) => boolean) => columns.findIndex(test);
  const [time, text] = [find(({ isTime }) => isTime), find(({ isNumber, isTime }) => !isNumber && !isTime)];
  const numbers = columns.flatMap(({ isNumber }, index) => (isNumber ? index : []));
  const [first = 0, second] = numbers;
  if (time >= 0) return { kind: 'line', x: time, y: first, total: 'sum' };
  if (text >= 0) return { kind: 'bar', x: text, y: first, total: numbers.length > 0 ? 'sum' : 'count' };
  return second === undefined
    ? { kind: 'histogram', x: first, y: first, total: 'count' }
    : { kind: 'scatter', x: first, y: second, total: 'sum' };
}

export const hasTotal = ({ kind }: Pick<ChartChoice, 'kind'>): boolean => kind === 'bar' || kind === 'line';
export const hasY = ({ kind, total }: ChartChoice): boolean =>
  kind === 'scatter' || (hasTotal({ kind }) && total !== 'count');

/** For Vega-Lite; columns are fields by their place, as their names can be anything. */
export function chartSpec({ columns, rows }: ChartTable, choice: ChartChoice): object {
  const { kind, x, y, total } = choice;
  const typeOf = (column: number) =>
    columns[column]?.isTime ? 'temporal' : columns[column]?.isNumber ? 'quantitative' : 'nominal';
  const field = (column: number, type = typeOf(column)) => ({
    field: `c${column}`,
    type,
    title: columns[column]?.name ?? '',
  });
  const values = rows.map((row) => ({ [`c${x}`]: row[x], [`c${y}`]: row[y] }));
  const title = `${totals[total]} of ${columns[y]?.name ?? ''}`;
  const down =
    total === 'count'
      ? { aggregate: 'count', type: 'quantitative', title: 'Rows' }
      : { aggregate: total, ...field(y, 'quantitative'), title };
  const encodings = {
    bar: { x: { ...field(x, columns[x]?.isTime ? 'temporal' : 'nominal'), sort: '-y' }, y: down },
    line: { x: field(x), y: down },
    scatter: { x: field(x), y: field(y) },
    histogram: { x: { ...field(x), bin: typeOf(x) === 'quantitative' }, y: { aggregate: 'count', title: 'Rows' } },
  };
  const marks = { bar: 'bar', line: { type: 'line', point: rows.length < 60 }, scatter: 'point', histogram: 'bar' };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: 'container',
    height: 300,
    data: { values },
    mark: marks[kind],
    encoding: encodings[kind],
  };
}

/** The same in Python, of a frame that an expression gives. */
export function chartCode({ columns }: ChartTable, { kind, x, y, total }: ChartChoice, frame: string): string {
  const [across, down] = [x, y].map((column) => JSON.stringify(columns[column]?.name ?? ''));
  const imports = [...(frame.startsWith('pd.') ? ['import pandas as pd'] : []), 'import plotly.express as px'];
  const lines = [...imports, '', `data = ${frame}`];
  if (kind === 'scatter') lines.push(`px.scatter(data, x=${across}, y=${down})`);
  else if (kind === 'histogram') lines.push(`px.histogram(data, x=${across})`);
  else if (total === 'count') {
    lines.push(`counts = data.groupby(${across}, as_index=False).size()`);
    lines.push(`px.${kind}(counts, x=${across}, y="size")`);
  } else {
    lines.push(`totals = data.groupby(${across}, as_index=False)[${down}].${total}()`);
    lines.push(`px.${kind}(totals, x=${across}, y=${down})`);
  }
  return lines.join('\n');
}

const readers: Record<string, string> = {
  csv: 'pd.read_csv(PATH)',
  tsv: 'pd.read_csv(PATH, sep="\\t")',
  parquet: 'pd.read_parquet(PATH)',
  xlsx: 'pd.read_excel(PATH)',
  json: 'pd.read_json(PATH)',
};

/** Reads a file of the project; null for a kind that pandas does not read at once. */
export function readingCode(path: string): string | null {
  const reader = readers[path.replace(/\.gz$/i, '').split('.').pop()?.toLowerCase() ?? ''];
  return reader ? reader.replace('PATH', JSON.stringify(path)) : null;
}

/** The expression at the end of a cell, whose value the cell shows. */
export function lastExpression(source: string): string | null {
  const line = source.trimEnd().split('\n').at(-1) ?? '';
  return /^[A-Za-z_][\w.]*(\(.*\)|\[.*\]|\.[\w]+)*$/.test(line) ? line : null;
}
