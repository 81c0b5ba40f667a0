import type { Cell, TablePage } from '@atoll/contract/files/data';
import type { ProjectFile } from '@atoll/contract/files/entity';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TableState } from './model.ts';
import { pageQuery, pageSize } from './queries.ts';

export interface TableView {
  head: TablePage | undefined;
  error: Error | null;
  retry(): void;
  /** The shown rows belong to the query before this one. */
  isOld: boolean;
  /** The number of rows that can be scrolled to now. */
  count: number;
  /** Undefined while it is loading. */
  rowAt(index: number): Cell[] | undefined;
  /** Returns the requested rows, and loads the missing ones. */
  load(from: number, to: number): Promise<Cell[][]>;
}

/** The first page describes the table; the other pages are loaded when they are viewed. */
export function useTable(file: ProjectFile, state: TableState, seen: { from: number; to: number }): TableView {
  const queryClient = useQueryClient();
  const first = useQuery({
    ...pageQuery(file, state, 1),
    placeholderData: (previous, query) => (query?.queryKey[3].sheet === state.sheet ? previous : undefined),
  });
  const head = first.data;
  const isReady = head?.is_complete === true && !first.isPlaceholderData;
  const count = head ? (head.total ?? head.rows.length) : 0;

  const pages = useMemo(() => {
    if (!isReady) return [];
    const last = Math.floor(Math.min(seen.to, count - 1) / pageSize);
    const start = Math.floor(seen.from / pageSize);
    return Array.from({ length: Math.max(0, last - start + 1) }, (_, index) => start + index + 1).filter(
      (page) => page > 1,
    );
  }, [isReady, seen.from, seen.to, count]);
  const others = useQueries({ queries: pages.map((page) => pageQuery(file, state, page)) });

  const byPage = new Map<number, TablePage | undefined>([
    [1, head],
    ...pages.map((page, index) => [page, others[index]?.data] as const),
  ]);
  return {
    head,
    error: (first.error ?? others.find(({ error }) => error)?.error ?? null) as Error | null,
    retry: () =>
      void queryClient.refetchQueries({
        queryKey: ['table', file.id],
        predicate: ({ state }) => state.status === 'error',
      }),
    isOld: first.isPlaceholderData,
    count,
    rowAt: (index) => byPage.get(Math.floor(index / pageSize) + 1)?.rows[index % pageSize],
    async load(from, to) {
      const rows: Cell[][] = [];
      for (let page = Math.floor(from / pageSize) + 1; (page - 1) * pageSize <= to; page++) {
        const { rows: found } = await queryClient.fetchQuery(pageQuery(file, state, page));
        const start = (page - 1) * pageSize;
        rows.push(...found.slice(Math.max(0, from - start), to - start + 1));
      }
      return rows;
    },
  };
}
