import type { ProjectFile } from '@atoll/contract/files/entity';
import type { Project } from '@atoll/contract/projects/entity';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { RunView } from './components/run-view.tsx';
import classes from './components/runs.module.css';
import { RunsList } from './components/runs-list.tsx';
import { useRunsLive } from './live.ts';

interface RunsPanelProps {
  project: Project;
  files: ProjectFile[];
  /** Null shows the list. */
  runId: string | null;
  onRun(runId: string | null): void;
  onOpenFile(fileId: string): void;
  /** On a phone the sheet around it has a way to close it. */
  onClose?(): void;
}

export function RunsPanel({ project, files, runId, onRun, onOpenFile, onClose }: RunsPanelProps) {
  useRunsLive(project.id);
  const close = onClose && (
    <ActionIcon size={26} aria-label="Close runs" onClick={onClose}>
      <IconX size={16} />
    </ActionIcon>
  );
  return (
    <div className={classes.panel}>
      {runId ? (
        <RunView
          key={runId}
          project={project}
          runId={runId}
          files={files}
          onBack={() => onRun(null)}
          onOpenFile={onOpenFile}
          close={close}
        />
      ) : (
        <RunsList project={project} onRun={onRun} close={close} />
      )}
    </div>
  );
}
