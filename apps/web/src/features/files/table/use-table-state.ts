import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { parseTableSearch, type TableState, toSearch, toState } from './model.ts';

/** The settings of the table in the address, so that a reload and a shared link show the same rows. */
export function useTableState(): { state: TableState; change(patch: Partial<TableState>): void } {
  const search = parseTableSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const key = JSON.stringify(search);
  const state = useMemo(() => toState(JSON.parse(key)), [key]);
  return {
    state,
    change: (patch) =>
      void navigate({
        to: '.',
        search: (current: object) => ({ ...current, ...toSearch({ ...state, ...patch }) }),
        replace: true,
        resetScroll: false,
      }),
  };
}
