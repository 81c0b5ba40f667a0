import type { ProjectKind } from '@atoll/contract/projects/kinds';
import { Button, Modal, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { useDocumentKinds } from '../../../platform/features/registry.ts';
import { useTheme } from '../../../ui/theme/theme-context.tsx';
import { useSession } from '../../session/queries.ts';
import { kindWords, offeredKinds } from '../kinds.ts';
import { featuredTemplates } from '../model.ts';
import { useCreateFromFile } from '../mutations.ts';
import { templatesQuery } from '../queries.ts';
import { CreateProblem } from './create-problem.tsx';
import classes from './new-project-dialog.module.css';
import { StartTile } from './start-tile.tsx';
import { UploadTile } from './upload-tile.tsx';

const TemplateDialog = lazyPart(() => import('./template-dialog.tsx'), 'TemplateDialog');

/** Everything a project can start from: one press and it is there. */
export function NewProjectDialog({ asked }: { asked: number }) {
  const session = useSession();
  const kinds = offeredKinds(session, useDocumentKinds());
  const { create, createFromFile } = useCreateFromFile();
  const { platform } = useTheme();
  const templates = useQuery(templatesQuery).data?.entries ?? [];
  const [opened, setOpened] = useState(true);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');
  const [isBrowsing, setBrowsing] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each asking opens it again.
  useEffect(() => {
    setOpened(true);
    setName('');
    create.reset();
  }, [asked]);

  const start = async (tile: string, input: Parameters<typeof create.mutateAsync>[0]) => {
    if (create.isPending) return;
    setChosen(tile);
    await create.mutateAsync({ ...input, name: name.trim() || input.name }).then(() => setOpened(false), ignore);
  };
  const startKind = (kind: ProjectKind) =>
    void start(kind, { kind, create_main_file: true, name: `Untitled ${kindWords[kind].label}` });
  const [first] = kinds;
  const busy = (tile: string) => create.isPending && chosen === tile;

  return (
    <Modal opened={opened} onClose={() => setOpened(false)} title="New project" size={760}>
      <CreateProblem error={create.error} onLeave={() => setOpened(false)} />
      <TextInput
        label="Name"
        placeholder="Untitled"
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && first && startKind(first)}
        description={first && `Enter creates a ${kindWords[first].label.toLowerCase()}.`}
        data-autofocus
        mb="md"
      />
      <div className={classes.tiles}>
        {kinds.map((kind) => (
          <StartTile key={kind} {...kindWords[kind]} pending={busy(kind)} onClick={() => startKind(kind)} />
        ))}
      </div>
      {templates.length > 0 && (
        <>
          <Title order={2} size="h3" className={classes.heading}>
            From a template
          </Title>
          <div className={classes.tiles}>
            {featuredTemplates(templates, platform).map(({ name: template, title, description, kind }) => (
              <StartTile
                key={template}
                icon={kindWords[kind].icon}
                label={title}
                text={description}
                pending={busy(`template ${template}`)}
                onClick={() => start(`template ${template}`, { template, name: title })}
              />
            ))}
          </div>
          <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setBrowsing(true)}>
            All {templates.length} templates
          </Button>
          <Suspense>
            {isBrowsing && (
              <TemplateDialog
                first={null}
                onClose={() => {
                  setBrowsing(false);
                  setOpened(false);
                }}
              />
            )}
          </Suspense>
        </>
      )}
      <Title order={2} size="h3" className={classes.heading}>
        From your computer
      </Title>
      <UploadTile
        pending={busy('upload')}
        onFile={async (file) => {
          setChosen('upload');
          await createFromFile(file, name.trim());
          setOpened(false);
        }}
      />
      <Text size="xs" c="dimmed" mt="sm">
        New projects are private.
      </Text>
    </Modal>
  );
}

/** The dialog shows the mutation's own error. */
const ignore = () => {};
