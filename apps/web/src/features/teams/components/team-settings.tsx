import type { TeamDiscovery } from '@atoll/contract/teams/access';
import type { TeamDetail } from '@atoll/contract/teams/entity';
import { personName } from '@atoll/contract/users/names';
import { Button, FileButton, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { pictureTypes, uploadPicture } from '../../../platform/upload.ts';
import { atMost, email, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { useTeamAct, useTeamsRefresh, useTransferTeam } from '../mutations.ts';
import { membersQuery } from '../queries.ts';
import { TeamMark } from '../team-mark.tsx';
import classes from '../teams.module.css';
import { DiscoveryChoice } from './discovery-choice.tsx';

const photographs = pictureTypes.filter((type) => type !== 'image/svg+xml').join(',');

export function TeamSettings({ team }: { team: TeamDetail }) {
  return (
    <>
      <Fields team={team} />
      {team.permissions.includes('delete') && <OwnersPanel team={team} />}
    </>
  );
}

function Fields({ team }: { team: TeamDetail }) {
  const refresh = useTeamsRefresh();
  const form = useForm({
    initial: {
      name: team.name,
      icon: team.icon ?? '',
      description: team.description,
      contact_email: team.contact_email ?? '',
      discovery: team.discovery as string,
    },
    checks: {
      name: (value) => required('A name')(value) ?? atMost(60)(value),
      description: atMost(2_000),
      contact_email: (value) => (value.trim() ? email(value) : null),
    },
    submit: async ({ icon, discovery, contact_email, ...fields }) => {
      await client.teams.update({
        id: team.id,
        ...fields,
        icon: icon.trim() || null,
        contact_email: contact_email.trim() || null,
        discovery: discovery as TeamDiscovery,
      });
      await refresh();
      toast('Team saved.');
    },
  });
  return (
    <Panel title="Team settings">
      <Form form={form}>
        <PictureField team={team} />
        <Group gap={12} align="flex-start" wrap="nowrap">
          <TextInput label="Icon" placeholder="🌊" maxLength={16} w={72} {...form.text('icon')} />
          <TextInput label="Name" required maxLength={60} flex={1} {...form.text('name')} />
        </Group>
        <Textarea
          label="Description"
          description="In Markdown"
          autosize
          minRows={3}
          maxRows={10}
          {...form.text('description')}
        />
        <TextInput
          label="Contact address"
          description="Shown to people who can see the team"
          type="email"
          {...form.text('contact_email')}
        />
        <DiscoveryChoice value={form.values.discovery} onChange={(discovery) => form.set('discovery', discovery)} />
        <FormActions form={form} justify="flex-start" disabled={!form.isDirty}>
          Save
        </FormActions>
      </Form>
    </Panel>
  );
}

function PictureField({ team }: { team: TeamDetail }) {
  const set = useTeamAct(
    async (file: File | null) =>
      file
        ? client.teams.setThumbnail({ id: team.id, upload_id: await uploadPicture(file) })
        : client.teams.removeThumbnail({ id: team.id }),
    'Could not save the picture',
  );
  return (
    <Group gap={16}>
      <TeamMark team={team} size={56} />
      <FileButton accept={photographs} onChange={(file) => file && set.mutate(file)}>
        {(props) => (
          <Button variant="default" loading={set.isPending} {...props}>
            {team.thumbnail ? 'Change picture' : 'Upload picture'}
          </Button>
        )}
      </FileButton>
      {team.thumbnail && (
        <Button variant="subtle" color="gray" onClick={() => set.mutate(null)}>
          Remove
        </Button>
      )}
    </Group>
  );
}

/** Both are for good, and take a second press. */
function OwnersPanel({ team }: { team: TeamDetail }) {
  const navigate = useNavigate();
  const transfer = useTransferTeam();
  const remove = useTeamAct(() => client.teams.delete({ id: team.id }), 'Could not delete the team');
  const { data } = useInfiniteQuery(membersQuery(team.id));
  const others = data?.pages.flatMap((page) => page.entries).filter(({ role }) => role !== 'owner') ?? [];
  const [heir, setHeir] = useState('');
  const [isSure, setSure] = useState(false);
  return (
    <Panel title="Danger zone">
      <div className={classes.danger}>
        <div className={classes.dangerWords}>
          <Text fw={500}>Transfer ownership</Text>
          <Text size="sm" c="dimmed">
            You stay in the team as an administrator.
          </Text>
        </div>
        <Group gap={8}>
          <NativeSelect
            aria-label="New owner"
            data={[
              { value: '', label: others.length ? 'Select a member' : 'No other members' },
              ...others.map(({ user }) => ({ value: user.id, label: personName(user) })),
            ]}
            value={heir}
            onChange={(event) => setHeir(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={!heir}
            loading={transfer.isPending}
            onClick={() => transfer.mutate({ id: team.id, user_id: heir })}
          >
            Transfer ownership
          </Button>
        </Group>
      </div>
      <div className={classes.danger}>
        <div className={classes.dangerWords}>
          <Text fw={500}>Delete team</Text>
          <Text size="sm" c="dimmed">
            Projects stay with their owners. Members lose access they had through the team.
          </Text>
        </div>
        <Button
          color="danger"
          variant={isSure ? 'filled' : 'default'}
          loading={remove.isPending}
          onBlur={() => setSure(false)}
          onClick={() =>
            isSure ? remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/teams' }) }) : setSure(true)
          }
        >
          {isSure ? 'Delete permanently' : 'Delete'}
        </Button>
      </div>
    </Panel>
  );
}
