import '@mantine/core/styles/Pagination.layer.css';
import { Pagination } from '@mantine/core';
import type { ReactNode } from 'react';
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
