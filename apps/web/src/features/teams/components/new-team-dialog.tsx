import type { TeamDiscovery } from '@atoll/contract/teams/access';
import { Group, Modal, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { client } from '../../../platform/client.ts';
import { atMost, required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useTeamsRefresh } from '../mutations.ts';
import { DiscoveryChoice } from './discovery-choice.tsx';

/** Whether the name is free is asked as soon as it is there. */
export function NewTeamDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const refresh = useTeamsRefresh();
  const isNarrow = useIsNarrow();
  const [taken, setTaken] = useState<{ name: string; message: string } | null>(null);
  const form = useForm({
    initial: { name: '', icon: '', description: '', discovery: 'private' as string },
    checks: {
      name: (value) => required('A name')(value) ?? atMost(60)(value),
      description: atMost(2_000),
    },
    submit: async ({ name, icon, description, discovery }) => {
      const team = await client.teams.create({
        name,
        icon: icon.trim() || null,
        description,
        discovery: discovery as TeamDiscovery,
      });
      await refresh();
      if (team) await navigate({ to: '/teams/$teamId', params: { teamId: team.id } });
    },
  });
  const name = form.text('name');
  const checkName = async () => {
    name.onBlur();
    const wanted = form.values.name.trim();
    if (wanted.length < 2) return;
    await client.teams.create({ name: wanted, dry_run: true }).catch((error: unknown) => {
      const message = error instanceof ApiError ? error.fields.name?.[0] : undefined;
      if (message) setTaken({ name: wanted, message });
    });
  };
  const problem = taken?.name === form.values.name.trim() ? taken.message : undefined;
  return (
    <Modal opened onClose={onClose} title="New team" fullScreen={isNarrow}>
      <Form form={form}>
        <Group gap={12} align="flex-start" wrap="nowrap">
          <TextInput label="Icon" placeholder="🌊" maxLength={16} w={72} {...form.text('icon')} />
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={60}
            flex={1}
            {...name}
            error={name.error ?? problem}
            onBlur={() => void checkName()}
          />
        </Group>
        <Textarea
          label="Description"
          placeholder="One or two sentences"
          autosize
          minRows={2}
          maxRows={6}
          {...form.text('description')}
        />
        <DiscoveryChoice value={form.values.discovery} onChange={(discovery) => form.set('discovery', discovery)} />
        <FormActions form={form}>Create team</FormActions>
      </Form>
    </Modal>
  );
}
