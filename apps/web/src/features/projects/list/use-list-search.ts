import { getRouteApi } from '@tanstack/react-router';
import { type ListSearch, usual } from '../model.ts';

const route = getRouteApi('/_shell/projects/');

export interface ListState {
  search: ListSearch;
  /** Any other choice begins at the first page again. */
  change(patch: ListSearch, replace?: boolean): void;
}

export function useListSearch(): ListState {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    search,
    change: (patch, replace) =>
      void navigate({
        search: (current) => usual({ ...current, page: undefined, ...patch }),
        replace,
        resetScroll: patch.page !== undefined,
      }),
  };
}
