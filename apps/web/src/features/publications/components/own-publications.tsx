import type { AccessLevel, ContentKind } from '@atoll/contract/publications/entity';
import { Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../session/queries.ts';
import { ListedPublications } from '../listed-publications.tsx';
import { accessWords } from '../model.ts';

const levels: AccessLevel[] = ['public', 'link_shared', 'collaborator_shared', 'draft'];

const kinds: Partial<Record<ContentKind, string>> = {
  notebooks: 'Notebooks',
  canvases: 'Canvases',
  strategies: 'Strategies',
};

/** The person's own by their access; those for collaborators are also of projects that are shared with them. */
export function OwnPublications() {
  const { id } = useSession();
  const [level, setLevel] = useState<AccessLevel>('public');
  const [kind, setKind] = useState<ContentKind | ''>('');
  return (
    <>
      <Group mb="md" gap="sm">
        <SegmentedControl
          aria-label="Access"
          size="xs"
          value={level}
          onChange={(value) => setLevel(value as AccessLevel)}
          data={levels.map((value) => ({ value, label: accessWords[value].label }))}
        />
        <NativeSelect
          aria-label="Kind"
          size="xs"
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as ContentKind | '')}
          data={[
            { value: '', label: 'All kinds' },
            ...Object.entries(kinds).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Group>
      <ListedPublications
        of={{
          owner: level === 'collaborator_shared' ? undefined : id,
          access_level: level,
          content_kind: kind ? [kind] : undefined,
        }}
      >
        {level === 'public' && !kind
          ? 'You have no public publications. Open a notebook and press Publish.'
          : 'You have no such publications.'}
      </ListedPublications>
    </>
  );
}
