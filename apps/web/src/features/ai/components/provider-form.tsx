import type { AiProviderKind } from '@atoll/contract';
import { PasswordInput, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, client } from '../../../platform/client.ts';
import { required } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { FormProblem, SubmitButton } from '../../../ui/form-parts.tsx';
import { toast } from '../../../ui/toast.ts';
import classes from './assistant.module.css';

const kinds: { value: AiProviderKind; label: string }[] = [
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'openai', label: 'OpenAI' },
  { value: 'google', label: 'Google' },
  { value: 'openai_compatible', label: 'OpenAI-compatible server' },
];

const price = (value: string) => (value === '' || Number(value) >= 0 ? null : 'A number of units');

/** A provider of models: its key, its models and what they cost. */
export function ProviderForm({ isForEveryone }: { isForEveryone: boolean }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { kind: 'anthropic', name: '', base_url: '', api_key: '', models: '', input: '', output: '' },
    checks: { name: required('A name'), models: required('At least one model'), input: price, output: price },
    submit: async ({ kind, name, base_url, api_key, models, input, output }) => {
      const names = models.split(/[\s,]+/).filter(Boolean);
      await client.ai.createProvider({
        ...{ kind: kind as AiProviderKind, name: name.trim(), is_for_everyone: isForEveryone },
        base_url: base_url.trim() || null,
        ...(api_key ? { api_key } : {}),
        models: names.map((each) => ({
          name: each,
          units_per_million_input: Number(input) || 0,
          units_per_million_output: Number(output) || 0,
        })),
      });
      toast(`“${name.trim()}” added. Check whether it answers.`);
      form.setValues({ kind, name: '', base_url: '', api_key: '', models: '', input: '', output: '' });
      await queryClient.invalidateQueries({ queryKey: api.ai.key() });
    },
  });
  const { onBlur: _, ...key } = form.text('api_key');
  const kind = form.values.kind;
  return (
    <form onSubmit={form.send} noValidate autoComplete="off" className={classes.provider}>
      <div className={classes.pair}>
        <Select
          label="Provider"
          data={kinds}
          value={kind}
          onChange={(value) => form.setValues({ ...form.values, kind: value ?? 'anthropic' })}
        />
        <TextInput label="Name" placeholder="As people here see it" {...form.text('name')} />
      </div>
      <TextInput
        label="Address"
        description={kind === 'openai_compatible' ? undefined : 'Only where a proxy answers in its place'}
        placeholder="https://models.example.com/v1"
        {...form.text('base_url')}
      />
      <PasswordInput label="API key" autoComplete="new-password" {...key} />
      <TextInput
        label="Models"
        description="As the provider calls them, separated by commas"
        spellCheck={false}
        {...form.text('models')}
      />
      {isForEveryone && (
        <div className={classes.pair}>
          <TextInput
            label="Units per million tokens read"
            inputMode="decimal"
            placeholder="0"
            {...form.text('input')}
          />
          <TextInput
            label="Units per million tokens written"
            inputMode="decimal"
            placeholder="0"
            {...form.text('output')}
          />
        </div>
      )}
      <FormProblem problem={form.problem} />
      <div>
        <SubmitButton pending={form.pending}>Add provider</SubmitButton>
      </div>
    </form>
  );
}
