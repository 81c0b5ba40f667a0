import type { AdminFeature } from '@atoll/contract/admin/entity';
import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../platform/client.ts';
import { Page } from '../../../ui/page.tsx';
import classes from '../components/admin.module.css';
import { AdminTable, CsvButton, SearchTool } from '../components/list-parts.tsx';
import { featureWords } from '../model.ts';
import { useAdminButton } from '../mutations.ts';
import { featuresQuery, listCsv } from '../queries.ts';

export function FeaturesPage() {
  const list = useQuery(featuresQuery());
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase().replaceAll(' ', '_');
  const entries = list.data?.entries.filter(({ name }) => name.includes(wanted));
  return (
    <Page
      title="Features"
      description="What this installation offers. Roles, plans and single people can differ from it."
      width="wide"
      actions={<CsvButton href={listCsv('features')} />}
    >
      <div className={classes.tools}>
        <SearchTool label="Search features" placeholder="Feature" value={search} onSearch={setSearch} />
      </div>
      <AdminTable
        label="Features"
        entries={entries?.map((feature) => ({ ...feature, id: feature.name }))}
        list={list}
        empty={<Text c="dimmed">No feature has this name.</Text>}
        columns={[
          {
            label: 'Feature',
            cell: ({ name }) => featureWords(name),
            detail: ({ is_built, is_on_by_default }) =>
              is_built ? (is_on_by_default ? 'On by default' : 'Off by default') : null,
          },
          { label: 'For everyone', cell: (feature) => <Setting key={feature.message} feature={feature} /> },
          { label: 'Differs for', cell: (feature) => exceptions(feature) },
        ]}
      />
    </Page>
  );
}

function exceptions({ plans_without, roles, people }: AdminFeature): string {
  const parts = [
    ...plans_without.map((plan) => `plan ${plan}: off`),
    ...roles.map(({ name, is_enabled }) => `role ${name}: ${is_enabled ? 'on' : 'off'}`),
    ...(people.on > 0 ? [`${people.on} people: on`] : []),
    ...(people.off > 0 ? [`${people.off} people: off`] : []),
  ];
  return parts.join(', ') || '–';
}

function Setting({ feature }: { feature: AdminFeature }) {
  const { name, configured, is_built, is_enabled, message } = feature;
  const [words, setWords] = useState(message ?? '');
  const set = useAdminButton(
    (input: { is_enabled: boolean | null; message: string | null }) => client.admin.updateFeature({ name, ...input }),
    'Could not change the feature',
  );
  if (!is_built) return <span className={classes.detail}>Not part of this version</span>;
  if (configured !== null)
    return <span className={classes.detail}>{configured ? 'On' : 'Off'} by the configuration of the server</span>;
  const label = featureWords(name);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`${label} for everyone`}
        disabled={set.isPending}
        data={[
          { value: '', label: 'Default' },
          { value: 'true', label: 'On' },
          { value: 'false', label: 'Off' },
        ]}
        value={is_enabled === null ? '' : String(is_enabled)}
        onChange={(event) => {
          const { value } = event.currentTarget;
          set.mutate({ is_enabled: value === '' ? null : value === 'true', message: words || null });
        }}
      />
      {is_enabled === false && (
        <TextInput
          mt={6}
          size="xs"
          aria-label={`Message for people without ${label}`}
          placeholder="Why it is off"
          maxLength={200}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          onBlur={() => words !== (message ?? '') && set.mutate({ is_enabled, message: words || null })}
        />
      )}
    </>
  );
}
