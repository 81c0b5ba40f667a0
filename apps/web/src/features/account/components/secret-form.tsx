import type { Secret } from '@atoll/contract/secrets/endpoints';
import { PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { InlineForm, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import classes from './inline-form.module.css';

const variableName = (value: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(value.trim()) ? null : 'Letters, digits and underscores, not beginning with a digit';

/** A new secret, or another name or value for one that is there. */
export function SecretForm({ secret, onDone }: { secret?: Secret; onDone?: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { key: secret?.key ?? '', secret: '' },
    checks: { key: variableName, secret: secret ? undefined : required('A value') },
    submit: async (values) => {
      const key = values.key.trim();
      if (secret) await client.secrets.update({ id: secret.id, key, secret: values.secret || undefined });
      else await client.secrets.create({ key, secret: values.secret });
      toast(`“${key}” saved.`);
      form.setValues({ key: '', secret: '' });
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: api.secrets.list.key() });
    },
  });
  const { onBlur: _, ...value } = form.text('secret');
  return (
    <InlineForm form={form} autoComplete="off">
      <TextInput
        label="Name"
        placeholder="DATABASE_PASSWORD"
        maxLength={120}
        spellCheck={false}
        {...form.text('key')}
      />
      <PasswordInput
        label={secret ? 'New value' : 'Value'}
        placeholder={secret ? 'Leave empty to keep the value' : undefined}
        autoComplete="new-password"
        className={classes.grow}
        {...value}
      />
      <SubmitButton pending={form.pending}>{secret ? 'Save' : 'Create secret'}</SubmitButton>
    </InlineForm>
  );
}
