import '@mantine/core/styles/Radio.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import type { RevertedFile } from '@atoll/contract';
import { personName } from '@atoll/contract/users/names';
import { Alert, Button, Checkbox, Group, Modal, Radio, Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNotebook } from '../../notebook/notebook-context.tsx';
import { refusalWords } from '../../notebook/refusal.ts';
import type { Assistant } from '../use-assistant.ts';
import classes from './assistant.module.css';

interface RevertDialogProps {
  snapshot: number;
  assistant: Assistant;
  onClose(): void;
}

const words = { restored: 'is restored', deleted: 'is deleted', created: 'comes back', moved: 'is moved back' };

/** What bringing back an earlier state changes, before it is done. */
export function RevertDialog({ snapshot, assistant, onClose }: RevertDialogProps) {
  const { store } = useNotebook();
  const [files, setFiles] = useState<RevertedFile[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [mode, setMode] = useState<'files' | 'conversation' | 'both'>('both');
  const [later, setLater] = useState<string[]>([]);
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    store
      .ready()
      .then((topic) => topic.send('get_snapshot_changes', { snapshot }))
      .then(
        (changes) => setFiles(changes.files),
        (error: unknown) => setProblem(refusalWords(error)),
      );
  }, [store, snapshot]);
  const revert = async () => {
    setPending(true);
    const input = { snapshot, mode, later_file_ids: later };
    if (await assistant.act((topic) => topic.send('revert_to_snapshot', input))) onClose();
    else setPending(false);
  };
  const own = files?.filter(({ is_later }) => !is_later) ?? [];
  const others = files?.filter(({ is_later }) => is_later) ?? [];
  return (
    <Modal opened onClose={onClose} title="Revert to before this message">
      <Stack>
        <Radio.Group label="What to revert" value={mode} onChange={(value) => setMode(value as typeof mode)}>
          <Stack gap={6} mt={6}>
            <Radio value="both" label="Files and conversation" />
            <Radio value="files" label="Files only" />
            <Radio value="conversation" label="Conversation only" />
          </Stack>
        </Radio.Group>
        {problem && <Alert color="danger">{problem}</Alert>}
        {!files && !problem && <Skeleton height={40} />}
        {files && mode !== 'conversation' && (
          <div>
            {own.length === 0 && others.length === 0 && <p className={classes.quiet}>No file has changed since.</p>}
            <ul className={classes.files}>
              {own.map(({ file_id, path, change }) => (
                <li key={file_id}>
                  <code>{path}</code> {words[change]}
                </li>
              ))}
            </ul>
            {others.length > 0 && (
              <Checkbox.Group
                label="Changed since by people"
                description="They stay as they are unless you select them."
                value={later}
                onChange={setLater}
              >
                <Stack gap={6} mt={6}>
                  {others.map(({ file_id, path, change, changed_by }) => (
                    <Checkbox
                      key={file_id}
                      value={file_id}
                      label={`${path} ${words[change]}${changed_by ? ` (last changed by ${personName(changed_by)})` : ''}`}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
          </div>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isPending} disabled={!files} onClick={() => void revert()}>
            Revert
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
