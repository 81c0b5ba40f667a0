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
