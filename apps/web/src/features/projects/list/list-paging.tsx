import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import lists from '../../../ui/styles/lists.module.css';
import { pageSizes, usualPageSize } from '../model.ts';
import type { ListState } from './use-list-search.ts';

const sizes = pageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));
const grouped = (number: number) => number.toLocaleString('en');

export function ListPaging({ search, change, total }: ListState & { total: number }) {
  const size = search.page_size ?? usualPageSize;
  const page = search.page ?? 1;
  const last = Math.max(1, Math.ceil(total / size));
  const first = Math.min((page - 1) * size + 1, total);
  return (
    <nav className={lists.paging} aria-label="Pages">
      <span role="status">
        {last === 1
          ? `${grouped(total)} ${total === 1 ? 'project' : 'projects'}`
          : `${grouped(first)}–${grouped(Math.min(page * size, total))} of ${grouped(total)} projects`}
      </span>
      {total > (pageSizes[0] ?? 0) && (
        <div className={lists.pager}>
          <NativeSelect
            aria-label="Projects per page"
            size="xs"
            data={sizes}
            value={String(size)}
            onChange={(event) => change({ page_size: Number(event.currentTarget.value) })}
          />
          <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => change({ page: page - 1 })}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          Page {grouped(page)} of {grouped(last)}
          <ActionIcon aria-label="Next page" disabled={page >= last} onClick={() => change({ page: page + 1 })}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
      )}
    </nav>
  );
}
