import { type SharingPreset, sharingPresets } from '@atoll/contract/projects/access';
import type { PersonSummary, Project } from '@atoll/contract/projects/entity';
import { Combobox, Loader, NativeSelect, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { offeredPresets, presetWords } from '../model.ts';
import { useShare } from '../mutations.ts';
import { peopleQuery } from '../queries.ts';
import { PersonLine } from './person-row.tsx';
import classes from './sharing.module.css';

interface AddPeopleProps {
  project: Project;
  /** Who is in it already. */
  taken: string[];
}

/** Whoever is chosen is in at once; the row below says so and can take it back. */
export function AddPeople({ project, taken }: AddPeopleProps) {
  const presets = offeredPresets(project.permissions);
  const [chosen, setChosen] = useState<SharingPreset>('viewer');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const { data, error, isFetching } = useQuery(peopleQuery(wanted));
  const share = useShare(project.id);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const found = search.trim().length > 1 ? (data?.entries ?? []) : [];
  const isSearching = isFetching || wanted !== search.trim();
  // Somebody who may do little can still pass that on.
  const permissions = presets.includes(chosen) ? [...sharingPresets[chosen]] : ['view' as const];
  const add = (person: PersonSummary) => {
    share.mutate({ person, permissions });
    setSearch('');
    combobox.closeDropdown();
  };
  return (
    <div className={classes.add}>
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => {
          const person = found.find((each) => each.id === id);
          if (person) add(person);
        }}
      >
        <Combobox.Target>
          <TextInput
            className={classes.search}
            aria-label="Find people"
            placeholder="Name, user name or e-mail address"
            leftSection={<IconSearch size={15} />}
            rightSection={share.isPending ? <Loader size={16} /> : undefined}
            autoComplete="off"
            data-autofocus
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.openDropdown();
              combobox.updateSelectedOptionIndex();
            }}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={search.trim().length < 2}>
          <Combobox.Options aria-label="People found">
            {found.map((person) => (
              <Combobox.Option key={person.id} value={person.id} disabled={taken.includes(person.id)}>
                <PersonLine
                  person={person}
                  action={taken.includes(person.id) && <span className={classes.known}>Has access</span>}
                />
              </Combobox.Option>
            ))}
            {found.length === 0 && (
              <Combobox.Empty>
                {error ? messageOf(error) : isSearching ? 'Looking…' : 'Nobody was found by that.'}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {presets.length > 0 && (
        <NativeSelect
          aria-label="What they may do"
          className={classes.role}
          data={presets.map((name) => ({ value: name, label: presetWords[name].label }))}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value as SharingPreset)}
        />
      )}
      {presets.includes(chosen) && <p className={classes.hint}>{presetWords[chosen].text}.</p>}
    </div>
  );
}
