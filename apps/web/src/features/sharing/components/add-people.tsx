import { type ProjectPermission, type SharingPreset, sharingPresets } from '@atoll/contract/projects/access';
import type { Project } from '@atoll/contract/projects/entity';
import { Button, Combobox, Group, Loader, NativeSelect, Textarea, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMail, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { email as checkEmail } from '../../../ui/checks.ts';
import { PersonLine } from '../../people/person-line.tsx';
import { MailMissing, useIsMailDelivered } from '../../sign-in/mail-missing.tsx';
import { ownTeamsQuery } from '../../teams/queries.ts';
import { offeredPresets, presetWords } from '../model.ts';
import { useInvite, useShare, useShareWithTeam } from '../mutations.ts';
import { peopleQuery } from '../queries.ts';
import classes from './sharing.module.css';
import { TeamLine } from './team-line.tsx';

interface AddPeopleProps {
  project: Project;
  /** Who is in it already, people and teams. */
  taken: string[];
}

/** Whoever is chosen is in at once; the row below says so and can take it back. */
export function AddPeople({ project, taken }: AddPeopleProps) {
  const presets = offeredPresets(project.permissions);
  const [chosen, setChosen] = useState<SharingPreset>('viewer');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const { data, error, isFetching } = useQuery(peopleQuery(wanted));
  const teams = useQuery({ ...ownTeamsQuery(wanted), enabled: wanted.length > 1 });
  // Somebody who may do little can still pass that on.
  const permissions: ProjectPermission[] = presets.includes(chosen) ? [...sharingPresets[chosen]] : ['view'];
  const share = useShare(project.id);
  const shareWithTeam = useShareWithTeam(project.id);
  const invite = useInvite(project.id);
  const [inviting, setInviting] = useState<string | null>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const isTyped = search.trim().length > 1;
  const people = isTyped ? (data?.entries ?? []) : [];
  const found = isTyped ? (teams.data?.entries ?? []) : [];
  const isSearching = isFetching || wanted !== search.trim();
  const canInvite = !isSearching && people.length === 0 && checkEmail(search) === null;
  const isPending = share.isPending || shareWithTeam.isPending || invite.isPending;

  const add = (id: string) => {
    const person = people.find((each) => each.id === id);
    const team = found.find((each) => each.id === id);
    if (person) share.mutate({ person, permissions });
    else if (team) shareWithTeam.mutate({ team, permissions });
    else setInviting(search.trim());
    setSearch('');
    combobox.closeDropdown();
  };
  const hasAccess = (id: string) => taken.includes(id) && <span className={classes.known}>Has access</span>;
  return (
    <div className={classes.add}>
      <Combobox store={combobox} withinPortal={false} onOptionSubmit={add}>
        <Combobox.Target>
          <TextInput
            className={classes.search}
            aria-label="Find people"
            placeholder="Name, team or e-mail address"
            leftSection={<IconSearch size={15} />}
            rightSection={isPending ? <Loader size={16} /> : undefined}
            autoComplete="off"
            data-autofocus
            value={search}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setSearch(value);
              // One that is open and shows nothing would still take the Escape that is meant for the dialog.
              if (value.trim().length > 1) combobox.openDropdown();
              else combobox.closeDropdown();
              combobox.updateSelectedOptionIndex();
            }}
            onFocus={() => isTyped && combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isTyped}>
          <Combobox.Options aria-label="People found" mah={320} style={{ overflowY: 'auto' }}>
            {people.map((person) => (
              <Combobox.Option key={person.id} value={person.id} disabled={taken.includes(person.id)}>
                <PersonLine person={person} action={hasAccess(person.id)} />
              </Combobox.Option>
            ))}
            {found.map((team) => (
              <Combobox.Option key={team.id} value={team.id} disabled={taken.includes(team.id)}>
                <TeamLine team={team} action={hasAccess(team.id)} />
              </Combobox.Option>
            ))}
            {canInvite && (
              <Combobox.Option value="invite">
                <span className={classes.invite}>
                  <IconMail size={18} stroke={1.6} aria-hidden />
                  <span>
                    Invite <strong>{search.trim()}</strong> by mail
                  </span>
                </span>
              </Combobox.Option>
            )}
            {people.length + found.length === 0 && !canInvite && (
              <Combobox.Empty>
                {error
                  ? messageOf(error)
                  : isSearching
                    ? 'Looking…'
                    : 'No results. Enter a full e-mail address to invite someone.'}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {presets.length > 0 && (
        <NativeSelect
          aria-label="Role"
          className={classes.role}
          data={presets.map((name) => ({ value: name, label: presetWords[name].label }))}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value as SharingPreset)}
        />
      )}
      {presets.includes(chosen) && <p className={classes.hint}>{presetWords[chosen].text}.</p>}
      {inviting && (
        <InviteForm
          email={inviting}
          isPending={invite.isPending}
          onSend={(message) =>
            invite.mutate({ email: inviting, permissions, message }, { onSuccess: () => setInviting(null) })
          }
          onCancel={() => setInviting(null)}
        />
      )}
    </div>
  );
}

interface InviteFormProps {
  email: string;
  isPending: boolean;
  onSend(message: string): void;
  onCancel(): void;
}

function InviteForm({ email, isPending, onSend, onCancel }: InviteFormProps) {
  const [message, setMessage] = useState('');
  const isMailDelivered = useIsMailDelivered();
  return (
    <form
      className={classes.message}
      onSubmit={(event) => {
        event.preventDefault();
        onSend(message.trim());
      }}
    >
      <Textarea
        label={`Message to ${email} (optional)`}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1_000}
        autoFocus
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      {!isMailDelivered && <MailMissing />}
      <Group gap={8} mt="xs">
        <Button type="submit" loading={isPending}>
          Send invitation
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
