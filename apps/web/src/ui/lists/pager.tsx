import '@mantine/core/styles/Pagination.layer.css';
import { Pagination, type PaginationProps } from '@mantine/core';

interface PagerProps {
  page: number;
  pages: number;
  onChange(page: number): void;
  mt?: PaginationProps['mt'];
}

/** The pages of a list that is not in the address. */
export function Pager({ page, pages, onChange, mt = 'sm' }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <Pagination
      mt={mt}
      size="sm"
      total={pages}
      value={page}
      onChange={onChange}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
    />
  );
}
