import '@mantine/core/styles/Pagination.layer.css';
import { Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Column, TableHead } from '../../../ui/lists/table.tsx';
import classes from './strategies.module.css';

/** Wider than the page: it scrolls by itself, with keys too. */
export function Scroll({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface ScrollTableProps {
  scrollLabel: string;
  label?: string;
  columns: Column[];
  children: ReactNode;
}

export const ScrollTable = ({ scrollLabel, label, columns, children }: ScrollTableProps) => (
  <Scroll label={scrollLabel}>
    <table className={classes.table} aria-label={label}>
      <TableHead columns={columns} />
      <tbody>{children}</tbody>
    </table>
  </Scroll>
);

/** A column of words among those of numbers. */
export const words = (name: string): Column => ({ name, className: classes.words });

export function Pager(props: { page: number; pages: number; onChange(page: number): void }) {
  if (props.pages <= 1) return null;
  return (
    <Pagination
      mt="sm"
      size="sm"
      total={props.pages}
      value={props.page}
      onChange={props.onChange}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
    />
  );
}
