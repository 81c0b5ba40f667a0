import type { AccessLevel } from '@atoll/contract/publications/entity';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../session/queries.ts';
import { ListedPublications } from '../listed-publications.tsx';
import { accessWords } from '../model.ts';

const levels: AccessLevel[] = ['public', 'link_shared', 'collaborator_shared', 'draft'];

/** The person's own by their access; those for collaborators are also of projects that are shared with them. */
export function OwnPublications() {
  const { id } = useSession();
  const [level, setLevel] = useState<AccessLevel>('public');
  return (
    <>
      <SegmentedControl
        aria-label="Access"
        size="xs"
        mb="md"
        value={level}
        onChange={(value) => setLevel(value as AccessLevel)}
        data={levels.map((value) => ({ value, label: accessWords[value].label }))}
      />
      <ListedPublications of={{ owner: level === 'collaborator_shared' ? undefined : id, access_level: level }}>
        {level === 'public'
          ? 'You have no public publications. Open a notebook and press Publish.'
          : 'You have no publications with this access.'}
      </ListedPublications>
    </>
  );
}
