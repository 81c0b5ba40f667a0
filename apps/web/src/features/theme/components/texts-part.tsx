import type { Theme } from '@atoll/contract/theme/entity';
import { Stack, Textarea, TextInput } from '@mantine/core';
import type { Draft } from '../draft.ts';

export function TextsPart({ draft }: { draft: Draft }) {
  const field = (name: keyof Theme['texts']) => ({
    value: draft.theme.texts[name],
    error: draft.errorAt(`texts.${name}`),
    onChange: (event: { currentTarget: { value: string } }) =>
      draft.set({ texts: { ...draft.theme.texts, [name]: event.currentTarget.value } }),
  });
  const long = { autosize: true, minRows: 6, maxRows: 16 };
  return (
    <Stack>
      <TextInput label="Tagline" maxLength={200} {...field('tagline')} />
      <TextInput label="Footer text" maxLength={200} {...field('footer')} />
      <Textarea label="About" description="Markdown" {...long} {...field('about')} />
      <Textarea label="Terms of service" description="Markdown" {...long} {...field('terms_of_service')} />
      <Textarea label="Privacy policy" description="Markdown" {...long} {...field('privacy_policy')} />
    </Stack>
  );
}
