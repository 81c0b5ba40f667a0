import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { Button, MultiSelect, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../session/queries.ts';
import { enabledKinds, kindWords } from '../kinds.ts';
import { isNarrowed, type ModeFilter, modeFilters } from '../model.ts';
import { tagsQuery } from '../queries.ts';
import classes from './list-filters.module.css';
import type { ListState } from './use-list-search.ts';

const filters = Object.keys(modeFilters) as (keyof typeof modeFilters)[];

export function ListFilters({ search, change }: ListState) {
  const session = useSession();
  const known = useQuery(tagsQuery).data?.entries.map(({ name }) => name) ?? [];
  const kinds = search.type ?? [];
  const chosen: ModeFilter[] = search.mode_filter ?? [];
  return (
    <div className={classes.filters}>
      <fieldset className={classes.chips} aria-label="Kind">
        {enabledKinds(session).map((kind) => {
          const { label, icon: Icon } = kindWords[kind];
          return (
            <Chip key={kind} on={kinds.includes(kind)} onToggle={() => change({ type: toggled(kinds, kind) })}>
              <Icon size={14} stroke={1.6} aria-hidden />
              {label}
            </Chip>
          );
        })}
      </fieldset>
      <fieldset className={classes.chips} aria-label="Owner and visibility">
        {filters.map((filter) => (
          <Chip
            key={filter}
            on={chosen.includes(filter)}
            onToggle={() => change({ mode_filter: toggled(chosen, filter) })}
          >
            {modeFilters[filter]}
          </Chip>
        ))}
        <MultiSelect
          aria-label="Tags"
          placeholder={search.tags?.length ? undefined : 'Tags'}
          className={classes.tags}
          size="xs"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear tags' }}
          nothingFoundMessage="No tags match"
          data={[...new Set([...known, ...(search.tags ?? [])])]}
          value={search.tags ?? []}
          onChange={(tags) => change({ tags })}
        />
        {isNarrowed(search) && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() =>
              change({
                type: undefined,
                tags: undefined,
                search: undefined,
                mode_filter: chosen.filter((each) => each === 'deleted'),
              })
            }
          >
            Clear all
          </Button>
        )}
      </fieldset>
    </div>
  );
}

function Chip({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: React.ReactNode }) {
  return (
    <UnstyledButton className={classes.chip} aria-pressed={on} onClick={onToggle}>
      {children}
    </UnstyledButton>
  );
}

const toggled = <Value,>(list: Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
