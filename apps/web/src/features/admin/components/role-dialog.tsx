import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { AdminRole } from '@atoll/contract/admin/entity';
import { Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { featureWords } from '../model.ts';
import { useAdminAct } from '../mutations.ts';
import { featuresQuery } from '../queries.ts';

type Features = AdminRole['features'];

export function RoleDialog({ role, onClose }: { role: AdminRole | null; onClose(): void }) {
  const features = useQuery(featuresQuery());
  const named = (isOn: boolean) =>
    Object.entries(role?.features ?? {}).flatMap(([name, value]) => (value === isOn ? name : []));
  const [on, setOn] = useState(named(true));
  const [off, setOff] = useState(named(false));
  const save = useAdminAct(
    (fields: { name: string; description: string; features: Features }) =>
      role ? client.admin.updateRole({ id: role.id, ...fields }) : client.admin.createRole(fields),
    role ? 'Role saved' : 'Role created',
  );
  const form = useForm({
    initial: { name: role?.name ?? '', description: role?.description ?? '' },
    checks: { name: (value) => (value.trim() ? null : 'Enter a name') },
    submit: async (fields) => {
      const set = Object.fromEntries([
        ...off.map((name) => [name, false]),
        ...on.map((name) => [name, true]),
      ]) as Features;
      await save.mutateAsync({ ...fields, features: set });
      onClose();
    },
  });
  const choices = (others: string[]) =>
    (features.data?.entries ?? [])
      .filter(({ name }) => !others.includes(name))
      .map(({ name }) => ({ value: name, label: featureWords(name) }));
  return (
    <Modal opened onClose={onClose} title={role ? `Role ${role.name}` : 'Create role'} size="md">
      <form onSubmit={form.send} noValidate>
        <Stack gap="md">
          <TextInput label="Name" required maxLength={60} data-autofocus {...form.text('name')} />
          <TextInput label="Description" maxLength={300} {...form.text('description')} />
          <MultiSelect
            label="Turned on"
            description="Wins over the plan and over other roles."
            searchable
            data={choices(off)}
            value={on}
            onChange={setOn}
          />
          <MultiSelect label="Turned off" searchable data={choices(on)} value={off} onChange={setOff} />
          <FormProblem problem={form.problem} />
          <Group justify="flex-end">
            <SubmitButton pending={form.pending}>{role ? 'Save' : 'Create role'}</SubmitButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
