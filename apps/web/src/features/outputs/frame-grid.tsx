import type { FramePage } from '@atoll/contract';
import { ActionIcon, Button, Menu, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconFilter,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { FrameChart } from './components/frame-chart.tsx';
import classes from './components/frame-grid.module.css';
import {
  type Comparison,
  columnsInWords,
  comparisons,
  emptyQuery,
  type FrameQuery,
  pageOf,
  shownValue,
} from './frame.ts';

interface FrameGridProps {
  /** The first rows, which came with the output and are there without a kernel too. */
  page: FramePage;
  /** Asks the kernel; without it only the first rows can be looked at. */
  load?(query: FrameQuery): Promise<FramePage>;
}

const leastPaged = 10;
const sizes = [10, 25, 50, 100, 500];
const grouped = (number: number) => number.toLocaleString('en');

/** A table that stays in the kernel: a page of it, sorted, filtered and searched there. */
export function FrameGrid({ page: first, load }: FrameGridProps) {
  const [query, setQuery] = useState<FrameQuery>({ ...emptyQuery, limit: 10 });
  const [answer, setAnswer] = useState<FramePage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  const turn = useRef(0);
  const local = pageOf(first, query);
  const page = answer ?? local ?? first;

  const ask = async (next: FrameQuery) => {
    setQuery(next);
    const mine = ++turn.current;
    // What came with the output is enough for the first pages as it is.
    const known = pageOf(first, next);
    if (known) {
      setAnswer(known);
      setProblem(null);
      return;
    }
    if (!load) return setProblem('Only the first rows are stored. Run the cell again to see the rest.');
    setLoading(true);
    try {
      const loaded = await load(next);
      if (mine !== turn.current) return;
      setAnswer(loaded);
      setProblem(null);
    } catch {
      if (mine === turn.current) setProblem('The kernel no longer has this table. Run the cell again to see the rest.');
    } finally {
      if (mine === turn.current) setLoading(false);
    }
  };
  const search = useDebouncedCallback((text: string) => void ask({ ...query, search: text, offset: 0 }), 250);
  const sortBy = (column: number, isDescending: boolean | null) =>
    void ask({ ...query, offset: 0, sort: isDescending === null ? [] : [{ column, is_descending: isDescending }] });
  // Nothing to leaf through or to look for.
  const hasPages = page.all > leastPaged;
  const until = Math.min(query.offset + page.rows.length, page.total);
  return (
    <div className={classes.frame} data-small={!hasPages || undefined} aria-busy={isLoading || undefined}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.scroll} aria-label="Table" tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              {page.columns.map((column, index) => {
                const sorted = query.sort.find((each) => each.column === index);
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns may be called the same.
                  <th key={index} aria-sort={sorted ? (sorted.is_descending ? 'descending' : 'ascending') : undefined}>
                    <ColumnMenu
                      name={column.name}
                      type={column.type}
                      sorted={sorted?.is_descending ?? null}
                      onSort={(isDescending) => sortBy(index, isDescending)}
                      onFilter={(comparison, value) =>
                        void ask({
                          ...query,
                          offset: 0,
                          filters: [...query.filters, { column: index, comparison, value }],
                        })
                      }
                    />
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are known by their place.
              <tr key={place}>
                {row.map((value, index) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells are known by their column.
                    key={index}
                    data-number={typeof value === 'number' || undefined}
                    data-none={value === null || undefined}
                    title={shownValue(value) === String(value) ? undefined : String(value)}
                  >
                    {shownValue(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {page.rows.length === 0 && <p className={classes.none}>No rows match.</p>}
      </section>
      {query.filters.length > 0 && (
        <div className={classes.filters}>
          {query.filters.map((filter, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may be there twice.
            <span key={index} className={classes.filter}>
              {page.columns[filter.column]?.name} {comparisons[filter.comparison]} {filter.value}
              <ActionIcon
                size={16}
                aria-label="Remove filter"
                onClick={() =>
                  void ask({ ...query, offset: 0, filters: query.filters.filter((_, at) => at !== index) })
                }
              >
                <IconX size={11} />
              </ActionIcon>
            </span>
          ))}
        </div>
      )}
      {problem && (
        <p className={classes.none} role="alert">
          {problem}
        </p>
      )}
      <div className={classes.foot}>
        <span>
          {hasPages && `${page.total === 0 ? '0' : `${grouped(query.offset + 1)}–${grouped(until)}`} of `}
          {grouped(page.total)}
          {page.total !== page.all && ` (${grouped(page.all)} in all)`} {page.all === 1 ? 'row' : 'rows'},{' '}
          {columnsInWords(page)}
        </span>
        {first.all > 0 && <FrameChart page={first} load={load} />}
        {hasPages && (
          <>
            <div className={classes.spring} />
            {load && (
              <TextInput
                size="xs"
                leftSection={<IconSearch size={13} />}
                placeholder="Search"
                aria-label="Search the table"
                className={classes.search}
                onChange={(event) => search(event.currentTarget.value)}
              />
            )}
            <NativeSelect
              size="xs"
              aria-label="Rows per page"
              data={sizes.map((size) => ({ value: String(size), label: `${size} rows` }))}
              value={String(query.limit)}
              onChange={(event) => void ask({ ...query, offset: 0, limit: Number(event.currentTarget.value) })}
            />
            <ActionIcon
              size={26}
              aria-label="Previous page"
              disabled={query.offset === 0}
              onClick={() => void ask({ ...query, offset: Math.max(0, query.offset - query.limit) })}
            >
              <IconChevronLeft size={15} />
            </ActionIcon>
            <ActionIcon
              size={26}
              aria-label="Next page"
              disabled={query.offset + query.limit >= page.total}
              onClick={() => void ask({ ...query, offset: query.offset + query.limit })}
            >
              <IconChevronRight size={15} />
            </ActionIcon>
          </>
        )}
      </div>
    </div>
  );
}

interface ColumnMenuProps {
  name: string;
  type: string;
  sorted: boolean | null;
  onSort(isDescending: boolean | null): void;
  onFilter(comparison: Comparison, value: string): void;
}

function ColumnMenu({ name, type, sorted, onSort, onFilter }: ColumnMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [comparison, setComparison] = useState<Comparison>('contains');
  const [value, setValue] = useState('');
  const needsValue = comparison !== 'is_empty' && comparison !== 'is_not_empty';
  const filter = (event: FormEvent) => {
    event.preventDefault();
    onFilter(comparison, needsValue ? value : '');
    setOpen(false);
  };
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" width={240} closeOnItemClick>
      <Menu.Target>
        <button type="button" className={classes.column} aria-label={`Column ${name}, ${type}`}>
          <span>
            {name}
            {sorted === false && <IconArrowUp size={12} aria-hidden />}
            {sorted === true && <IconArrowDown size={12} aria-hidden />}
            <IconChevronDown size={12} className={classes.chevron} aria-hidden />
          </span>
          <small>{type}</small>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconArrowUp size={14} />} onClick={() => onSort(false)}>
          Sort ascending
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowDown size={14} />} onClick={() => onSort(true)}>
          Sort descending
        </Menu.Item>
        {sorted !== null && <Menu.Item onClick={() => onSort(null)}>Remove sort</Menu.Item>}
        <Menu.Divider />
        <form onSubmit={filter} className={classes.filterForm}>
          <NativeSelect
            size="xs"
            aria-label="Comparison"
            data={Object.entries(comparisons).map(([key, label]) => ({ value: key, label }))}
            value={comparison}
            onChange={(event) => setComparison(event.currentTarget.value as Comparison)}
          />
          {needsValue && (
            <TextInput
              size="xs"
              aria-label="Value"
              placeholder="Value"
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          )}
          <Button type="submit" size="xs" variant="default" leftSection={<IconFilter size={13} />}>
            Filter
          </Button>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
