import { type ApiKeyScope, apiKeyScopes } from '@atoll/contract/account/scopes';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { InlineForm, SubmitButton } from '../../../ui/form-parts.tsx';
import { scopeChoices } from '../model.ts';
import { apiKeysQuery } from '../queries.ts';

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: '1 year' },
  { value: '', label: 'No expiry' },
];

export function NewKeyForm({ onMade }: { onMade(made: { name: string; key: string }): void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { name: '', scope: 'read', expires_in_days: '90' },
    checks: { name: required('A name') },
    submit: async ({ name, scope, expires_in_days }) => {
      const made = await client.account.createApiKey({
        name: name.trim(),
        scopes: apiKeyScopes.slice(0, apiKeyScopes.indexOf(scope as ApiKeyScope) + 1),
        expires_in_days: expires_in_days ? Number(expires_in_days) : null,
      });
      form.set('name', '');
      onMade(made);
      await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  const { onBlur: _, ...name } = form.text('name');
  return (
    <InlineForm form={form}>
      <TextInput label="Name" placeholder="Nightly report" maxLength={60} {...name} />
      <NativeSelect label="May" data={scopeChoices} mt={0} {...form.text('scope')} />
      <NativeSelect label="Expires after" data={lifetimes} mt={0} {...form.text('expires_in_days')} />
      <SubmitButton pending={form.pending}>Create key</SubmitButton>
    </InlineForm>
  );
}
