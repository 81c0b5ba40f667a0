import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../platform/api-error.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LinkButton } from '../../../ui/links.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import lists from '../../../ui/styles/lists.module.css';
import { useSession } from '../../session/queries.ts';
import { isBin, isNarrowed } from '../model.ts';
import { NewProjectButton } from '../new/new-project-button.tsx';
import { recentSharedQuery } from '../queries.ts';
import type { ListState } from './use-list-search.ts';

const words = {
  shared: ['No shared projects', 'Projects that others share with you appear here.'],
  community: ['No public projects yet', 'Projects with public visibility appear here.'],
  all: ['No projects yet', 'Your own, shared and public projects appear here.'],
} as const;

export function EmptyList({ search, change }: ListState) {
  if (isNarrowed(search) || search.page) {
    const clear = { search: undefined, tags: undefined, type: undefined };
    return (
      <EmptyState isLarge>
        <Title order={2}>No projects match</Title>
        <Text c="dimmed" maw="44ch">
          Try another search, or remove a filter.
        </Text>
        <Button
          variant="default"
          onClick={() => change({ ...clear, mode_filter: isBin(search) ? ['deleted'] : undefined })}
        >
          Clear search and filters
        </Button>
      </EmptyState>
    );
  }
  if (isBin(search)) {
    return (
      <EmptyState isLarge>
        <Title order={2}>The bin is empty</Title>
        <Text c="dimmed" maw="44ch">
          Projects you delete stay here for 30 days and can be restored.
        </Text>
        <LinkButton to="/projects" variant="default">
          Back to projects
        </LinkButton>
      </EmptyState>
    );
  }
  if (!search.mode || search.mode === 'my') return <FirstProject />;
  const [title, text] = words[search.mode];
  return (
    <EmptyState isLarge>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw="44ch">
        {text}
      </Text>
      {search.mode === 'shared' ? (
        <LinkButton to="/projects" search={{ mode: 'community' }} variant="default">
          Browse community projects
        </LinkButton>
      ) : (
        <NewProjectButton />
      )}
    </EmptyState>
  );
}

function FirstProject() {
  const { is_guest } = useSession();
  const { data: shared } = useQuery({ ...recentSharedQuery, enabled: !is_guest });
  const count = shared?.total ?? 0;
  return (
    <EmptyState isLarge>
      <Title order={2}>Create your first project</Title>
      <Text c="dimmed" maw="44ch">
        A project contains notebooks, code and data with version history. Create one, or drop a notebook, a table or a
        zip here.
      </Text>
      <Group gap="sm" justify="center">
        <NewProjectButton />
        {count > 0 && (
          <LinkButton to="/projects" search={{ mode: 'shared' }} variant="default">
            {count === 1 ? 'Open the project shared with you' : `See ${count} projects shared with you`}
          </LinkButton>
        )}
      </Group>
    </EmptyState>
  );
}

export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={lists.empty} data-large role="alert">
      <Title order={2}>Could not load the projects</Title>
      <Text c="dimmed" maw="44ch">
        {messageOf(error)}
      </Text>
      <RetryButton onClick={onRetry} />
    </div>
  );
}
