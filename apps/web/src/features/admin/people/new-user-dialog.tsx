import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import type { AdminRole } from '@atoll/contract/admin/entity';
import { Group, Modal, MultiSelect, Switch, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { useForm } from '../../../ui/form.ts';
import { Form, FormActions } from '../../../ui/form-parts.tsx';
import { useAdminAct } from '../mutations.ts';

export function NewUserDialog({ roles, onClose }: { roles: AdminRole[]; onClose(): void }) {
  const navigate = useNavigate();
  const [roleIds, setRoleIds] = useState<string[]>([]);
  const create = useAdminAct((input: Parameters<typeof client.admin.createUser>[0]) => client.admin.createUser(input));
  const form = useForm({
    initial: { email: '', first_name: '', last_name: '', isAdmin: false },
    checks: { email: (value) => (value.includes('@') ? null : 'Enter an e-mail address') },
    submit: async ({ isAdmin, ...fields }) => {
      const made = (await create.mutateAsync({
        ...fields,
        role: isAdmin ? 'admin' : 'user',
        role_ids: roleIds,
      })) as { id: string };
      await navigate({ to: '/admin/users/$userId', params: { userId: made.id } });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Create account">
      <Form form={form}>
        <TextInput label="E-mail" type="email" required data-autofocus {...form.text('email')} />
        <Group grow>
          <TextInput label="First name" maxLength={100} {...form.text('first_name')} />
          <TextInput label="Last name" maxLength={100} {...form.text('last_name')} />
        </Group>
        {roles.length > 0 && (
          <MultiSelect
            label="Roles"
            searchable
            data={roles.map(({ id, name }) => ({ value: id, label: name }))}
            value={roleIds}
            onChange={setRoleIds}
          />
        )}
        <Switch label="Admin" {...form.flag('isAdmin')} />
        <Text size="sm" c="dimmed">
          The person gets a link by e-mail to choose a password.
        </Text>
        <FormActions form={form}>Create account</FormActions>
      </Form>
    </Modal>
  );
}
