import type { Cell, ColumnStatistics as Statistics, TableColumn, TableFilter } from '@atoll/contract/files/data';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { mostCountedExactly } from '@atoll/contract/files/tables';
import { NativeSelect, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import classes from './column-statistics.module.css';
import { cellText, figure, grouped, kindWords, type TableState } from './model.ts';
import { statisticsQuery } from './queries.ts';

interface ColumnStatisticsProps {
  file: ProjectFile;
  state: TableState;
  columns: TableColumn[];
  column: string | undefined;
  onColumn(column: string): void;
  onFilter(filter: TableFilter): void;
}

/** Statistics of one column, over the rows that pass the filters. */
export function ColumnStatistics({ file, state, columns, column, onColumn, onFilter }: ColumnStatisticsProps) {
  const { data, error } = useQuery({ ...statisticsQuery(file, state, column ?? ''), enabled: column !== undefined });
  const statistics = data?.statistics;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={classes.panel} aria-label="Column statistics" tabIndex={0}>
      <NativeSelect
        size="xs"
        aria-label="Column"
        value={column}
        onChange={(event) => onColumn(event.currentTarget.value)}
        data={columns.map(({ name }) => ({ value: name, label: name }))}
      />
      {error ? (
        <Text size="sm" c="dimmed">
          {messageOf(error)}
        </Text>
      ) : statistics ? (
        <Figures statistics={statistics} onFilter={onFilter} />
      ) : (
        [120, 14, 14, 14, 14, 14].map((height, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are always the same.
          <Skeleton key={index} height={height} />
        ))
      )}
    </section>
  );
}

const shareNames: Record<number, string> = { 0.25: 'Lower quartile', 0.5: 'Median', 0.75: 'Upper quartile' };

function Figures({ statistics, onFilter }: { statistics: Statistics; onFilter(filter: TableFilter): void }) {
  const { kind, count, nulls, distinct, min, max, mean, quantiles, histogram, top } = statistics;
  const empty = count > 0 ? ` (${((nulls / count) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %)` : '';
  const lines: [string, string][] = [
    ['Type', kindWords[kind]],
    ['Rows', grouped(count)],
    ['Empty', grouped(nulls) + (nulls > 0 ? empty : '')],
    ['Distinct values', `${count - nulls > mostCountedExactly ? '≈ ' : ''}${grouped(distinct)}`],
    ...(min === null
      ? []
      : ([
          ['Minimum', figure(min, kind)],
          ['Maximum', figure(max, kind)],
        ] as [string, string][])),
    ...(mean === null ? [] : ([['Mean', figure(mean, kind)]] as [string, string][])),
    ...quantiles.flatMap(({ share, value }): [string, string][] =>
      shareNames[share] ? [[shareNames[share], figure(value, kind)]] : [],
    ),
  ];
  return (
    <>
      {histogram.length > 0 && <Histogram statistics={statistics} />}
      {top.length > 0 && <TopValues statistics={statistics} onFilter={onFilter} />}
      <dl className={classes.figures}>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Histogram({ statistics: { histogram, kind, name } }: { statistics: Statistics }) {
  const most = Math.max(1, ...histogram.map(({ count }) => count));
  const words = (from: Cell, to: Cell) => `${figure(from, kind)} – ${figure(to, kind)}`;
  const [first, last] = [histogram[0], histogram.at(-1)];
  return (
    <figure className={classes.histogram}>
      <div
        role="img"
        aria-label={`Distribution of ${name}, from ${figure(first?.from ?? null, kind)} to ${figure(last?.to ?? null, kind)}`}
        className={classes.bars}
      >
        {histogram.map(({ from, to, count }) => (
          <span
            key={String(from)}
            title={`${words(from, to)}: ${grouped(count)}`}
            style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }}
          />
        ))}
      </div>
      <figcaption>
        <span>{figure(first?.from ?? null, kind)}</span>
        <span>{figure(last?.to ?? null, kind)}</span>
      </figcaption>
    </figure>
  );
}

function TopValues({ statistics, onFilter }: { statistics: Statistics; onFilter(filter: TableFilter): void }) {
  const { top, kind, name, count } = statistics;
  return (
    <ul className={classes.top} aria-label="Most frequent values">
      {top.map(({ value, count: times }) => {
        const text = cellText(value, kind) ?? '';
        const share = (times / Math.max(1, count)) * 100;
        return (
          <li key={text}>
            <UnstyledButton
              className={classes.value}
              disabled={kind === 'other'}
              title={`Show rows where ${name} is ${text}`}
              onClick={() => onFilter({ column: name, operator: 'equals', value: String(value) })}
            >
              <span className={classes.bar} style={{ width: `${share}%` }} />
              <span className={classes.text}>{text || 'empty text'}</span>
              <span className={classes.times}>
                {grouped(times)} · {share.toLocaleString('en', { maximumFractionDigits: share < 1 ? 2 : 0 })} %
              </span>
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
}
