import { Button, VisuallyHidden } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { EmptyState, LoadProblem } from '../../../ui/empty-state.tsx';
import { MoreButton } from '../../../ui/lists/more-button.tsx';
import { WaitingRows } from '../../../ui/lists/table.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import admin from './admin.module.css';
import classes from './list-parts.module.css';

export interface Column<Entry> {
  label: string;
  type?: 'number' | 'actions';
  cell(entry: Entry): ReactNode;
  /** Below it, smaller. */
  detail?(entry: Entry): ReactNode;
}

interface TableProps<Entry> {
  label: string;
  columns: Column<Entry>[];
  entries: Entry[] | undefined;
  /** What asks for them; none where they are at hand. */
  list?: { isFetching: boolean; error: Error | null; refetch(): unknown };
  /** Told when there is nothing to list. */
  empty: ReactNode;
}

/** Every list of the admin area: its columns, and what is said while it loads, fails, or is empty. */
export function AdminTable<Entry extends { id?: string }>(props: TableProps<Entry>) {
  const { label, columns, entries, list, empty } = props;
  if (list?.error && !entries) return <LoadProblem isLarge error={list.error} onRetry={list.refetch} />;
  if (entries?.length === 0) return <EmptyState isLarge>{empty}</EmptyState>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which keys must be able to do as well.
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label} aria-busy={list?.isFetching ?? false}>
        <thead>
          <tr>
            {columns.map(({ label: name, type }) => (
              <th key={name} scope="col" data-type={type}>
                {type === 'actions' ? <VisuallyHidden>{name}</VisuallyHidden> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries ? (
            entries.map((entry, index) => (
              <tr key={entry.id ?? index}>
                {columns.map(({ label: name, type, cell, detail }) => {
                  const below = detail?.(entry);
                  return (
                    <td key={name} data-type={type}>
                      {cell(entry)}
                      {below && <span className={admin.detail}>{below}</span>}
                    </td>
                  );
                })}
              </tr>
            ))
          ) : (
            <WaitingRows columns={columns.length} rows={4} height={20} />
          )}
        </tbody>
      </table>
    </section>
  );
}

export const SearchTool = (props: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSearch(text: string): void;
}) => <SearchField className={classes.search} {...props} />;

interface PagesProps {
  label: string;
  page: number;
  size: number;
  total: number | undefined;
  isMore?: boolean | undefined;
  onChange(page: number): void;
}

export function Pages({ label, page, size, total = 0, isMore, onChange }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <nav className={classes.foot} aria-label={label}>
      <span>{isMore ? `More than ${total.toLocaleString('en')}` : `${total.toLocaleString('en')} in all`}</span>
      {last > 1 && (
        <>
          <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onChange(page - 1)}>
            Previous
          </Button>
          Page {page} of {last.toLocaleString('en')}
          <Button variant="default" size="xs" disabled={page >= last} onClick={() => onChange(page + 1)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}

export const More = ({ list }: Pick<ComponentProps<typeof MoreButton>, 'list'>) => (
  <MoreButton list={list} size="xs" mt={12}>
    Show older entries
  </MoreButton>
);

export const CsvButton = ({ href }: { href: string }) => (
  <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={15} />}>
    Download CSV
  </Button>
);

interface BarsProps {
  title: string;
  /** What all of it comes to. */
  sum: string;
  bars: { key: string; value: number; words: string }[];
}

/** Numbers over time. */
export function Bars({ title, sum, bars }: BarsProps) {
  const most = Math.max(Number.MIN_VALUE, ...bars.map(({ value }) => value));
  const step = 100 / Math.max(1, bars.length);
  return (
    <figure className={classes.chart}>
      <figcaption>
        {title}
        <strong>{sum}</strong>
      </figcaption>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={`${title} over time`}>
        {bars.map(({ key, value, words }, index) => {
          const height = value === 0 ? 0.6 : Math.max(1.5, (value / most) * 40);
          return (
            <rect key={key} x={index * step + step * 0.12} y={40 - height} width={step * 0.76} height={height}>
              <title>{words}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}

/** A number for each day. People cannot be added up over days, so of them the most of one day is said. */
export function DayChart({
  title,
  days,
  isPeople,
}: {
  title: string;
  days: { day: string; value: number }[];
  isPeople?: boolean;
}) {
  const values = days.map(({ value }) => value);
  const total = values.reduce((sum, value) => sum + value, 0).toLocaleString('en');
  const most = Math.max(0, ...values).toLocaleString('en');
  const bars = days.map(({ day, value }) => ({ key: day, value, words: `${day}: ${value}` }));
  return <Bars title={title} sum={isPeople ? `up to ${most} a day` : total} bars={bars} />;
}
