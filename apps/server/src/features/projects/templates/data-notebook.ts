import type { ColumnKind, TableFormat } from '@atoll/contract';
import { type Cell, notebook } from './main-files.ts';

interface DataFile {
  name: string;
  format: TableFormat;
  /** Of a csv. */
  separator: string;
  columns: readonly { name: string; kind: ColumnKind }[];
}

/** A notebook that reads a table and draws a first chart of it. */
export function dataNotebook(file: DataFile): string {
  const chart = chartOf(file);
  const cells: Cell[] = [
    {
      type: 'markdown',
      source: `# ${file.name.replace(/[\\`*_[\]<>#]/g, '\\$&')}\n\nThe table as it was read, and a first chart. Change the code and run it again with **Shift+Enter**.`,
    },
    { type: 'code', source: `import altair as alt\nimport pandas as pd\n\ndata = ${readCall(file)}\ndata` },
    { type: 'code', source: 'data.describe(include="all")' },
    ...(chart ? [{ type: 'code' as const, source: chart }] : []),
  ];
  return notebook(cells);
}

/** A string literal of Python is one of JSON, but for lone surrogates, which no file name has. */
const text = (value: string) => JSON.stringify(value);

function readCall({ name, format, separator, columns }: DataFile): string {
  const times = columns.filter(({ kind }) => kind === 'time').map((column) => text(column.name));
  const parsed = times.length > 0 ? `, parse_dates=[${times.join(', ')}]` : '';
  const path = text(name);
  switch (format) {
    case 'csv':
      return `pd.read_csv(${path}${separator === ',' ? '' : `, sep=${text(separator)}`}${parsed})`;
    case 'tsv':
      return `pd.read_csv(${path}, sep="\\t"${parsed})`;
    case 'json':
      return `pd.read_json(${path}${/\.(jsonl|ndjson)/i.test(name) ? ', lines=True' : ''})`;
    case 'parquet':
      return `pd.read_parquet(${path})`;
    case 'xlsx':
      return `pd.read_excel(${path})`;
  }
}

const isIdentifier = (name: string) => /(^|[^a-z])(id|key|code|zip|year)$/i.test(name);

/** The shares of a whole over time or by category, or how values are distributed; nothing where no column fits. */
function chartOf({ columns }: DataFile): string | null {
  const first = (kind: ColumnKind) => columns.find((column) => column.kind === kind)?.name;
  const numbers = columns.filter(({ kind }) => kind === 'number').map(({ name }) => name);
  const number = numbers.find((name) => !isIdentifier(name)) ?? numbers[0];
  const [time, category] = [first('time'), first('text')];
  if (time && number)
    return lines(
      `trend = data.groupby(${text(time)}, as_index=False)[${text(number)}].sum().tail(5000)`,
      'trend.columns = ["x", "y"]',
      `alt.Chart(trend).mark_line().encode(x=alt.X("x:T", title=${text(time)}), y=alt.Y("y:Q", title=${text(number)})).properties(width="container")`,
    );
  if (category && number)
    return lines(
      `totals = data.groupby(${text(category)}, as_index=False)[${text(number)}].sum().nlargest(20, ${text(number)})`,
      'totals.columns = ["x", "y"]',
      `alt.Chart(totals).mark_bar().encode(x=alt.X("y:Q", title=${text(number)}), y=alt.Y("x:N", sort="-x", title=${text(category)})).properties(width="container")`,
    );
  if (number)
    return lines(
      `values = data[[${text(number)}]].dropna().sample(frac=1, random_state=1).head(5000)`,
      'values.columns = ["x"]',
      `alt.Chart(values).mark_bar().encode(x=alt.X("x:Q", bin=alt.Bin(maxbins=30), title=${text(number)}), y="count()").properties(width="container")`,
    );
  if (category)
    return lines(
      `counts = data[${text(category)}].value_counts().head(20).reset_index()`,
      'counts.columns = ["x", "y"]',
      `alt.Chart(counts).mark_bar().encode(x=alt.X("y:Q", title="Rows"), y=alt.Y("x:N", sort="-x", title=${text(category)})).properties(width="container")`,
    );
  return null;
}

const lines = (...all: string[]) => all.join('\n');

/** The separator of a csv, by its first line. */
export function separatorOf(firstLine: string): string {
  const counts = [',', ';', '\t', '|'].map((separator) => ({ separator, count: firstLine.split(separator).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}
