import type { ReactNode } from 'react';
import { LinkButton } from './links.tsx';
import classes from './styles/lists.module.css';

interface PageLinksProps {
  label?: string;
  page: number;
  size: number;
  total: number;
  /** What the address counts its pages from. */
  first?: number;
  /** Said also where there is one page only. */
  children?: ReactNode;
}

/** The pages of a list whose address has the number of the page. */
export function PageLinks({ label = 'Pages', page, size, total, first = 0, children }: PageLinksProps) {
  const last = first + Math.max(0, Math.ceil(total / size) - 1);
  if (last === first && !children) return null;
  const link = (to: number, words: string) => (
    <LinkButton
      variant="default"
      size="xs"
      to="."
      search={((before: object) => ({ ...before, page: to === first ? undefined : to })) as never}
    >
      {words}
    </LinkButton>
  );
  return (
    <nav aria-label={label} className={classes.paging}>
      {children}
      {last > first && (
        <span className={classes.pager}>
          {page > first && link(page - 1, 'Previous')}
          Page {page - first + 1} of {last - first + 1}
          {page < last && link(page + 1, 'Next')}
        </span>
      )}
    </nav>
  );
}
