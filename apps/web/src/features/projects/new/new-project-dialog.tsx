import { Modal, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useDocumentKinds } from '../../../platform/features/registry.ts';
import { putContent } from '../../../platform/put-content.ts';
import { useSession } from '../../session/queries.ts';
import { kindWords, offeredKinds } from '../kinds.ts';
import { useCreateProject } from '../mutations.ts';
import { templatesQuery } from '../queries.ts';
import { CreateProblem } from './create-problem.tsx';
import classes from './new-project-dialog.module.css';
import { StartTile } from './start-tile.tsx';
import { UploadTile } from './upload-tile.tsx';

/** Everything a project can start from: one press and it is there. */
export function NewProjectDialog({ asked }: { asked: number }) {
  const session = useSession();
  const kinds = offeredKinds(session, useDocumentKinds());
  const create = useCreateProject();
  const templates = useQuery(templatesQuery).data?.entries ?? [];
  const [opened, setOpened] = useState(true);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState('');

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
        mb="md"
      />
      <div className={classes.tiles}>
        {kinds.map((kind) => (
          <StartTile
            key={kind}
            {...kindWords[kind]}
            pending={busy(kind)}
            onClick={() => start(kind, { kind, create_main_file: true, name: `Untitled ${kindWords[kind].label}` })}
          />
        ))}
      </div>
      {templates.length > 0 && (
        <>
          <Title order={2} size="h3" className={classes.heading}>
            From a template
          </Title>
          <div className={classes.tiles}>
            {templates.map(({ name: template, title, description, kind }) => (
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
        </>
      )}
      <Title order={2} size="h3" className={classes.heading}>
        From your computer
      </Title>
      <UploadTile
        pending={busy('upload')}
        onFile={async (file) => {
          setChosen('upload');
          const input = { upload_id: await putContent(file, file.name), name: stemOf(file.name) };
          await start('upload', input);
        }}
      />
      <Text size="xs" c="dimmed" mt="sm">
        New projects are private.
      </Text>
    </Modal>
  );
}

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '').slice(0, 120) || 'Untitled';

/** The dialog shows the mutation's own error. */
const ignore = () => {};
