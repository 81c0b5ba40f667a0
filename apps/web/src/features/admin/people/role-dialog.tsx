import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/SimpleGrid.layer.css';
import type { AdminRole } from '@atoll/contract/admin/entity';
import { Modal, MultiSelect, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { featureWords, limitProblem, limitWords, typedLimit } from '../model.ts';
import { useAdminAct } from '../mutations.ts';
import { featuresQuery } from '../queries.ts';

type Features = AdminRole['features'];
type Limits = AdminRole['limits'];

const shown = (limit: number | null | undefined) =>
  limit === null ? 'unlimited' : limit === undefined ? '' : String(limit);

export function RoleDialog({ role, onClose }: { role: AdminRole | null; onClose(): void }) {
  const features = useQuery(featuresQuery());
  const named = (isOn: boolean) =>
    Object.entries(role?.features ?? {}).flatMap(([name, value]) => (value === isOn ? name : []));
  const [on, setOn] = useState(named(true));
  const [off, setOff] = useState(named(false));
  const [tier, setTier] = useState<NonNullable<Limits['tier']> | ''>(role?.limits.tier ?? '');
  const save = useAdminAct(
    (fields: { name: string; description: string; features: Features; limits: Limits }) =>
      role ? client.admin.updateRole({ id: role.id, ...fields }) : client.admin.createRole(fields),
    role ? 'Role saved' : 'Role created',
  );
  const form = useForm({
    initial: {
      name: role?.name ?? '',
      description: role?.description ?? '',
      projects: shown(role?.limits.projects),
      execution_hours: shown(role?.limits.execution_hours),
      longest_run_hours: shown(role?.limits.longest_run_hours),
    },
    checks: {
      name: (value) => (value.trim() ? null : 'Enter a name'),
      projects: limitProblem,
      execution_hours: limitProblem,
      longest_run_hours: limitProblem,
    },
    submit: async ({ name, description, ...typed }) => {
      const limits = {
        projects: typedLimit(typed.projects),
        execution_hours: typedLimit(typed.execution_hours),
        longest_run_hours: typedLimit(typed.longest_run_hours),
        tier: tier || undefined,
      };
      const set = Object.fromEntries([
        ...off.map((name) => [name, false]),
        ...on.map((name) => [name, true]),
      ]) as Features;
      await save.mutateAsync({ name, description, features: set, limits });
      onClose();
    },
  });
  const choices = (others: string[]) =>
    (features.data?.entries ?? [])
      .filter(({ is_built }) => is_built)
      .filter(({ name }) => !others.includes(name))
      .map(({ name }) => ({ value: name, label: featureWords(name) }));
  return (
    <Modal opened onClose={onClose} title={role ? `Role ${role.name}` : 'Create role'}>
      <Form form={form}>
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
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput label={limitWords.projects} placeholder="As in the plan" {...form.text('projects')} />
          <TextInput
            label={limitWords.execution_hours}
            placeholder="As in the plan"
            {...form.text('execution_hours')}
          />
          <TextInput
            label={limitWords.longest_run_hours}
            placeholder="As in the plan"
            {...form.text('longest_run_hours')}
          />
          <NativeSelect
            label={limitWords.tier}
            data={[
              { value: '', label: 'As in the plan' },
              { value: 'l1', label: 'L1' },
              { value: 'l2', label: 'L2' },
              { value: 'l3', label: 'L3' },
            ]}
            value={tier}
            onChange={(event) => setTier(event.currentTarget.value as typeof tier)}
          />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          Limits: a number or “unlimited”. The highest of plan and roles counts.
        </Text>
        <FormActions form={form}>{role ? 'Save' : 'Create role'}</FormActions>
      </Form>
    </Modal>
  );
}
