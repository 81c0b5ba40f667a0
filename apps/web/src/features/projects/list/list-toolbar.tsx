import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { IconFilter, IconLayoutGrid, IconList, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { isBin, type SortBy, sorts, usualDirection } from '../model.ts';
import classes from './projects-page.module.css';
import type { ListState } from './use-list-search.ts';

const sortOptions = Object.entries(sorts).map(([value, label]) => ({ value, label }));

export function ListToolbar({ search, change }: ListState) {
  const direction = search.sort_direction ?? usualDirection(search.sort_by);
  const turn = direction === 'asc' ? 'Sort descending' : 'Sort ascending';
  const chosen =
    (search.tags?.length ?? 0) +
    (search.type?.length ?? 0) +
    (search.mode_filter ?? []).filter((each) => each !== 'deleted').length;
  return (
    <div className={classes.toolbar}>
      <SearchField
        className={classes.search}
        label={isBin(search) ? 'Search the bin' : 'Search projects'}
        placeholder="Search by name, description or tag"
        value={search.search}
        onSearch={(text) => change({ search: text }, true)}
      />
      <Button
        variant={search.is_filtering || chosen ? 'light' : 'default'}
        leftSection={<IconFilter size={15} />}
        aria-expanded={Boolean(search.is_filtering)}
        onClick={() => change({ is_filtering: !search.is_filtering, page: search.page }, true)}
      >
        Filter{chosen ? ` (${chosen})` : ''}
      </Button>
      <div className={classes.spring} />
      <div className={classes.sort}>
        <NativeSelect
          aria-label="Sort by"
          size="sm"
          data={sortOptions}
          value={search.sort_by ?? 'updated_at'}
          onChange={(event) => change({ sort_by: event.currentTarget.value as SortBy, sort_direction: undefined })}
        />
        <IconButton
          label={turn}
          size={34}
          onClick={() => change({ sort_direction: direction === 'asc' ? 'desc' : 'asc' })}
        >
          {direction === 'asc' ? <IconSortAscending size={18} /> : <IconSortDescending size={18} />}
        </IconButton>
      </div>
      <SegmentedControl
        aria-label="View"
        size="sm"
        value={search.view ?? 'cards'}
        onChange={(view) => change({ view: view as 'cards' | 'table', page: search.page })}
        data={[
          {
            value: 'cards',
            label: <IconLayoutGrid size={16} role="img" aria-label="Cards" className={classes.viewIcon} />,
          },
          { value: 'table', label: <IconList size={16} role="img" aria-label="Table" className={classes.viewIcon} /> },
        ]}
      />
    </div>
  );
}
