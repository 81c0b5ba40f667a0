import type { Settings } from '@atoll/contract/account/entity';
import { SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { atMost, userName, webAddress } from '../../../ui/checks.ts';
import { useForm } from '../../../ui/form.ts';
import { FormActions } from '../../../ui/form-parts.tsx';
import { Panel } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveSettings } from '../mutations.ts';
import { settingsQuery } from '../queries.ts';
import { AvatarField } from './avatar-field.tsx';

const networks = {
  website: 'Website',
  blog: 'Blog',
  linkedin: 'LinkedIn',
  twitter: 'Twitter / X',
  facebook: 'Facebook',
} as const;
type Network = keyof typeof networks;
const networkNames = Object.keys(networks) as Network[];

export function ProfileSection() {
  const { data } = useSuspenseQuery(settingsQuery);
  return (
    <>
      <Panel title="Picture" description="Shown beside your name. PNG, JPEG, GIF, WebP or AVIF, at most 5 MB.">
        <AvatarField settings={data} />
      </Panel>
      <ProfileForm key={JSON.stringify(data)} settings={data} />
    </>
  );
}

function ProfileForm({ settings }: { settings: Settings }) {
  const save = useSaveSettings();
  const form = useForm({
    initial: toForm(settings),
    checks: {
      user_name: userName,
      first_name: atMost(60),
      last_name: atMost(60),
      headline: atMost(160),
      company_name: atMost(100),
      company_position: atMost(100),
      ...Object.fromEntries(networkNames.map((name) => [`social_urls.${name}`, webAddress])),
    },
    submit: async (values) => {
      await save.mutateAsync(fromForm(values));
      toast('Profile saved.');
    },
  });
  return (
    <form onSubmit={form.send} noValidate style={{ marginTop: 16 }}>
      <Panel title="About you" description="Visible to other people.">
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
            <TextInput label="First name" autoComplete="given-name" {...form.text('first_name')} />
            <TextInput label="Last name" autoComplete="family-name" {...form.text('last_name')} />
          </SimpleGrid>
          <TextInput label="User name" autoComplete="nickname" {...form.text('user_name')} />
          <TextInput label="Headline" placeholder="One line about you" {...form.text('headline')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
            <TextInput label="Company" autoComplete="organization" {...form.text('company_name')} />
            <TextInput label="Position" autoComplete="organization-title" {...form.text('company_position')} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
            {networkNames.map((name) => (
              <TextInput
                key={name}
                label={networks[name]}
                type="url"
                placeholder="https://"
                {...form.text(`social_urls.${name}`)}
              />
            ))}
          </SimpleGrid>
          <Switch
            label="Discoverable"
            description="Your name appears in search and in lists of people."
            {...form.flag('is_discoverable')}
          />
          <FormActions form={form} justify="flex-start" disabled={!form.isDirty}>
            Save profile
          </FormActions>
        </Stack>
      </Panel>
    </form>
  );
}

type FormValues = Record<`social_urls.${Network}`, string> & {
  first_name: string;
  last_name: string;
  user_name: string;
  headline: string;
  company_name: string;
  company_position: string;
  is_discoverable: boolean;
};

function toForm(settings: Settings): FormValues {
  const { first_name, last_name, user_name, headline, company_name, company_position, is_discoverable } = settings;
  const urls = Object.fromEntries(
    networkNames.map((name) => [`social_urls.${name}`, settings.social_urls[name] ?? '']),
  );
  const own = { first_name, last_name, user_name, headline, company_name, company_position, is_discoverable };
  return { ...own, ...urls } as FormValues;
}

function fromForm(values: FormValues) {
  const { first_name, last_name, user_name, headline, company_name, company_position, is_discoverable } = values;
  const social_urls = Object.fromEntries(
    networkNames.map((name) => [name, values[`social_urls.${name}`].trim() || null]),
  );
  return { first_name, last_name, user_name, headline, company_name, company_position, is_discoverable, social_urls };
}
