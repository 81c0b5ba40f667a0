import type { ProjectFile } from '@atoll/contract/files/entity';
import { type ComputeTier, computeTiers } from '@atoll/contract/plans';
import type { Project } from '@atoll/contract/projects/entity';
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconChevronDown, IconListDetails, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { readLocal, writeLocal } from '../../../platform/storage.ts';
import { isNotebook } from '../../files/model.ts';
import { isRunnable, languageToRun } from '../model.ts';
import { useStartRun } from '../mutations.ts';
import classes from './run-controls.module.css';
import { RunMenu } from './run-menu.tsx';

interface RunControlsProps {
  project: Project;
  file: ProjectFile | undefined;
  isPanelShown: boolean;
  onPanel(): void;
  onStarted(runId: string): void;
}

const tierKey = 'run_tier';

/** Runs the open file, with what is chosen beside it, and leads to what ran before. */
export function RunControls({ project, file, isPanelShown, onPanel, onStarted }: RunControlsProps) {
  const mayRun = project.permissions.includes('execute') && !project.deleted_at;
  const runnable = mayRun && file && isRunnable(file.name) ? file : null;
  const [tier, setTier] = useState(() => computeTiers.find((each) => each === readLocal(tierKey)));
  const start = useStartRun(project.id, ({ id }) => onStarted(id));
  const os = useOs();
  const keys = os === 'macos' || os === 'ios' ? '⌘ ⇧ Enter' : 'Ctrl Shift Enter';
  const run = () => {
    if (runnable && !start.isPending) start.mutate({ file: runnable, tier });
  };
  useHotkeys([['mod+shift+Enter', run]], [], true);
  const chooseTier = (next: ComputeTier) => {
    setTier(next);
    writeLocal(tierKey, next);
  };
  if (!runnable && !project.permissions.includes('view_history')) return null;
  return (
    <div className={classes.controls}>
      {runnable && (
        <Button.Group>
          <Tooltip label={`Run ${runnable.name} from start to end, in a kernel of its own (${keys})`}>
            <Button
              size="compact-sm"
              // A notebook's own button for the cell comes first.
              variant={isNotebook(runnable.name) ? 'default' : 'filled'}
              leftSection={<IconPlayerPlayFilled size={12} />}
              loading={start.isPending}
              onClick={run}
              aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
              className={classes.run}
            >
              Run
            </Button>
          </Tooltip>
          <Menu position="bottom-end" width={296} withinPortal={false} floatingStrategy="fixed">
            <Menu.Target>
              <Button
                size="compact-sm"
                variant={isNotebook(runnable.name) ? 'default' : 'filled'}
                className={classes.how}
                aria-label="How to run it"
              >
                <IconChevronDown size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <RunMenu language={languageToRun(runnable.name, project)} tier={tier} onTier={chooseTier} />
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      )}
      {project.permissions.includes('view_history') && (
        <Tooltip label="Runs">
          <ActionIcon
            size={26}
            aria-label="Runs"
            aria-pressed={isPanelShown}
            variant={isPanelShown ? 'light' : 'subtle'}
            onClick={onPanel}
          >
            <IconListDetails size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
