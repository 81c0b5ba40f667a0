import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { TextInput, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useUpdateProject } from '../mutations.ts';
import classes from './project-page.module.css';

/** The name of the project; a click renames it in place. */
export function ProjectTitle({ project, canRename }: { project: ProjectDetail; canRename: boolean }) {
  const { id, name } = project;
  const [draft, setDraft] = useState<string | null>(null);
  const update = useUpdateProject();
  const save = () => {
    const next = draft?.trim();
    setDraft(null);
    if (next && next !== name) update.mutate({ id, name: next });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') setDraft(null);
  };
  if (draft !== null)
    return (
      <TextInput
        aria-label="Name of the project"
        size="xs"
        maxLength={120}
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={save}
      />
    );
  return (
    <Title order={1} className={classes.title} title={canRename ? undefined : name}>
      {canRename ? (
        <Tooltip label="Rename" openDelay={500}>
          <UnstyledButton className={classes.rename} onClick={() => setDraft(name)}>
            {name}
          </UnstyledButton>
        </Tooltip>
      ) : (
        name
      )}
    </Title>
  );
}
