import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { Draft } from '../draft.ts';

type TextField = 'name' | 'web_name' | 'title' | 'description' | 'contact_us_url' | 'legal_address';

/** Spread on a field of the draft that holds plain text. */
const field = (draft: Draft, name: TextField) => ({
  value: draft.theme[name],
  error: draft.errorAt(name),
  onChange: (event: { currentTarget: { value: string } }) => draft.set({ [name]: event.currentTarget.value }),
});

export function IdentityPart({ draft }: { draft: Draft }) {
  const { theme, set, errorAt } = draft;
  return (
    <Stack>
      <TextInput label="Name" description="Product name" required maxLength={60} {...field(draft, 'name')} />
      <TextInput
        label="Name on the web"
        description="Used in addresses and e-mails"
        required
        maxLength={60}
        {...field(draft, 'web_name')}
      />
      <TextInput
        label="Title"
        description="Shown while starting and by search engines"
        maxLength={120}
        {...field(draft, 'title')}
      />
      <Textarea label="Description" autosize minRows={2} maxLength={300} {...field(draft, 'description')} />
      <TextInput label="Contact page" description="A path here, or a web address" {...field(draft, 'contact_us_url')} />
      <TextInput
        label="Marketing site"
        placeholder="https://"
        value={theme.marketing_url ?? ''}
        error={errorAt('marketing_url')}
        onChange={(event) => set({ marketing_url: event.currentTarget.value || null })}
      />
      <Textarea label="Legal address" autosize minRows={2} maxLength={500} {...field(draft, 'legal_address')} />
      <Switch
        label="Hide links to terms and privacy"
        checked={theme.hide_legal_links}
        onChange={(event) => set({ hide_legal_links: event.currentTarget.checked })}
      />
      <Switch
        label="Hide loading screen"
        checked={theme.hide_loader}
        onChange={(event) => set({ hide_loader: event.currentTarget.checked })}
      />
    </Stack>
  );
}
