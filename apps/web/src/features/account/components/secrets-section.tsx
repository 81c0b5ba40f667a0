import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { Panel } from '../../../ui/page.tsx';
import { NothingHere, Rows } from '../../../ui/rows.tsx';
import { SectionSkeleton } from '../../../ui/section-skeleton.tsx';
import { secretsQuery } from '../queries.ts';
import { SecretForm } from './secret-form.tsx';
import { SecretRow } from './secret-row.tsx';

/** Values go in and are never shown again; code reads them by name. */
export function SecretsSection() {
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const { data, error } = useQuery(secretsQuery(wanted));
  if (!data && !error) return <SectionSkeleton />;
  const entries = data?.entries ?? [];
  return (
    <>
      <Panel
        title="New secret"
        description="Passwords and keys for your code. Values are encrypted and cannot be displayed again."
      >
        <SecretForm />
      </Panel>
      <Panel title="Your secrets">
        {(entries.length > 0 || wanted) && (
          <TextInput
            type="search"
            aria-label="Search secrets"
            placeholder="Search by name"
            leftSection={<IconSearch size={15} />}
            mb="md"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        {error ? (
          <NothingHere>{messageOf(error)}</NothingHere>
        ) : entries.length ? (
          <Rows label="Secrets">
            {entries.map((secret) => (
              <SecretRow key={secret.id} secret={secret} />
            ))}
          </Rows>
        ) : (
          <NothingHere>
            {wanted ? 'No secrets match.' : 'No secrets yet. Create one above when your code needs it.'}
          </NothingHere>
        )}
      </Panel>
    </>
  );
}
