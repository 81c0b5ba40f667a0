import { Button, Title } from '@mantine/core';
import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import { isBin, isNarrowed } from '../model.ts';
import { NewProjectButton } from '../new/new-project-button.tsx';
import classes from './projects-page.module.css';
import type { ListState } from './use-list-search.ts';

const words = {
  my: [
    'Create your first project',
    'A project contains notebooks, code and data with version history. Create one, or drop a notebook or a zip here.',
  ],
  shared: ['No shared projects', 'Projects that others share with you appear here.'],
  community: ['No public projects yet', 'Projects with public visibility appear here.'],
  all: ['No projects yet', 'Your own, shared and public projects appear here.'],
} as const;

export function EmptyList({ search, change }: ListState) {
  if (isNarrowed(search) || search.page) {
    const clear = { search: undefined, tags: undefined, type: undefined };
    return (
      <div className={classes.empty}>
        <Title order={2}>No projects match</Title>
        <p>Try another search, or remove a filter.</p>
        <Button
          variant="default"
          onClick={() => change({ ...clear, mode_filter: isBin(search) ? ['deleted'] : undefined })}
        >
          Clear search and filters
        </Button>
      </div>
    );
  }
  if (isBin(search)) {
    return (
      <div className={classes.empty}>
        <Title order={2}>The bin is empty</Title>
        <p>Projects you delete stay here for 30 days and can be restored.</p>
        <LinkButton to="/projects" variant="default">
          Back to projects
        </LinkButton>
      </div>
    );
  }
  const [title, text] = words[search.mode ?? 'my'];
  return (
    <div className={classes.empty}>
      <Title order={2}>{title}</Title>
      <p>{text}</p>
      {search.mode === 'shared' ? (
        <LinkButton to="/projects" search={{ mode: 'community' }} variant="default">
          Browse community projects
        </LinkButton>
      ) : (
        <NewProjectButton />
      )}
    </div>
  );
}

export function ListFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={classes.empty} role="alert">
      <Title order={2}>Could not load the projects</Title>
      <p>{messageOf(error)}</p>
      <RetryButton onClick={onRetry} />
    </div>
  );
}
