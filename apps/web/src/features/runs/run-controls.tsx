import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ComputeTier } from '@atoll/contract/plans';
import type { Project } from '@atoll/contract/projects/entity';
import { Button, Menu, Tooltip } from '@mantine/core';
import { useHotkeys, useOs } from '@mantine/hooks';
import { IconChevronDown, IconListDetails, IconPlayerPlayFilled } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { useDocumentKind } from '../../platform/features/registry.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { ScheduleItem } from '../schedules/schedule-item.tsx';
import { chosenTier, rememberTier } from './chosen-tier.ts';
import classes from './components/run-controls.module.css';
import { RunMenu } from './components/run-menu.tsx';
import { SecretsChoice } from './components/secrets-choice.tsx';
import { isRunnable, languageToRun } from './model.ts';
import { useStartRun } from './mutations.ts';

const ScheduleDialog = lazyPart(() => import('../schedules/schedule-dialog.tsx'), 'ScheduleDialog');

interface RunControlsProps {
  project: Project;
  file: ProjectFile | undefined;
  isPanelShown: boolean;
  onPanel(): void;
  onStarted(runId: string): void;
}

/** Runs the open file and leads to earlier runs. A notebook has a Run button of its own, for the cells that are seen. */
export function RunControls({ project, file, isPanelShown, onPanel, onStarted }: RunControlsProps) {
  const mayRun = project.permissions.includes('execute') && !project.deleted_at;
  const runnable = mayRun && file && isRunnable(file.name) ? file : null;
  const isRunInside = useDocumentKind(file?.name)?.isRunInside;
  const [tier, setTier] = useState(chosenTier);
  const [withSecrets, setWithSecrets] = useState(false);
  const [isScheduling, setScheduling] = useState(false);
  const start = useStartRun(project.id, ({ id }) => {
    setWithSecrets(false);
    onStarted(id);
  });
  const os = useOs();
  const keys = os === 'macos' || os === 'ios' ? '⌘ ⇧ Enter' : 'Ctrl Shift Enter';
  const run = () => {
    if (runnable && !start.isPending) start.mutate({ file: runnable, tier, withSecrets });
  };
  useHotkeys([['mod+shift+Enter', run]], [], true);
  const chooseTier = (next: ComputeTier) => {
    setTier(next);
    rememberTier(next);
  };
  if (!runnable && !project.permissions.includes('view_history')) return null;
  return (
    <div className={classes.controls}>
      {runnable && !isRunInside && (
        <Button.Group>
          <Tooltip label={`Run ${runnable.name} (${keys})`}>
            <Button
              size="compact-sm"
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
              <Button size="compact-sm" className={classes.how} aria-label="Run settings">
                <IconChevronDown size={14} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <RunMenu language={languageToRun(runnable.name, project)} tier={tier} onTier={chooseTier} />
              <SecretsChoice project={project} isChosen={withSecrets} onChange={setWithSecrets} />
              <Menu.Divider />
              <ScheduleItem projectId={project.id} onClick={() => setScheduling(true)} />
            </Menu.Dropdown>
          </Menu>
        </Button.Group>
      )}
      <Suspense>
        {isScheduling && runnable && (
          <ScheduleDialog
            subject={{ projectId: project.id, fileId: runnable.id }}
            onClose={() => setScheduling(false)}
          />
        )}
      </Suspense>
      {project.permissions.includes('view_history') && (
        <IconButton label="Runs" size={26} isPressed={isPanelShown} onClick={onPanel}>
          <IconListDetails size={16} stroke={1.6} />
        </IconButton>
      )}
    </div>
  );
}
