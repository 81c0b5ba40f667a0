import { Button, Title } from '@mantine/core';
import { messageOf } from '../../../platform/api-error.ts';
import { LinkButton } from '../../../ui/links.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import { isBin, isNarrowed } from '../model.ts';
import type { ListState } from '../use-list-search.ts';
import { NewProjectButton } from './new-project-button.tsx';
import classes from './projects-page.module.css';

const words = {
  my: [
    'Your first project',
    'A project keeps code, data and notes together, with every version of each file. Start one, or drop a notebook or a zip here.',
  ],
  shared: ['Nothing is shared with you yet', 'When somebody gives you access to a project of theirs, it appears here.'],
  community: [
    'Nobody has published a project yet',
    'Projects that people make public appear here. Yours can be the first: set its visibility to public.',
  ],
  all: ['No projects yet', 'Everything you may see appears here: yours, shared and public ones.'],
} as const;

export function EmptyList({ search, change }: ListState) {
  if (isNarrowed(search) || search.page) {
    const clear = { search: undefined, tags: undefined, type: undefined };
    return (
      <div className={classes.empty}>
        <Title order={2}>Nothing matches</Title>
        <p>Try another word, or take a filter away.</p>
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
          Back to my projects
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
          Look at the community’s
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
      <Title order={2}>The projects could not be loaded</Title>
      <p>{messageOf(error)}</p>
      <RetryButton onClick={onRetry} />
    </div>
  );
}
