import type { ProjectFile } from '@atoll/contract/files/entity';
import type { Project } from '@atoll/contract/projects/entity';
import { extensionOf } from '@atoll/contract/projects/kinds';
import type { Run, RunDetail } from '@atoll/contract/runs/entity';
import { personName } from '@atoll/contract/users/names';
import { ActionIcon, Anchor, Button, Skeleton, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconDownload, IconPlayerStopFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { messageOf } from '../../../platform/api-error.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { RetryButton } from '../../../ui/problem.tsx';
import { When } from '../../../ui/when.tsx';
import { contentUrl } from '../../files/addresses.ts';
import { useRun } from '../live.ts';
import { useStopRun } from '../mutations.ts';
import { resultUrl, runCellsQuery } from '../queries.ts';
import { RunCell } from './run-cell.tsx';
import classes from './runs.module.css';
import { StatusChip } from './status-chip.tsx';

interface RunViewProps {
  project: Project;
  runId: string;
  files: ProjectFile[];
  onBack(): void;
  onOpenFile(fileId: string): void;
  close: ReactNode;
}

/** One run: how it stands, and what each cell shows. */
export function RunView({ project, runId, files, onBack, onOpenFile, close }: RunViewProps) {
  const { data: run, error, refetch } = useRun(project.id, runId);
  return (
    <>
      <div className={classes.head}>
        <IconButton label="All runs" size={26} onClick={onBack}>
          <IconArrowLeft size={16} />
        </IconButton>
        {run && <RunHead run={run} project={project} files={files} onOpenFile={onOpenFile} />}
        <div className={classes.spring} />
        {run && <RunActions run={run} project={project} />}
        {close}
      </div>
      {error && !run ? (
        <div className={classes.empty} role="alert">
          <h3>Could not load this run</h3>
          <p>{messageOf(error)}</p>
          <RetryButton onClick={() => refetch()} />
        </div>
      ) : run ? (
        <RunBody run={run} projectId={project.id} files={files} />
      ) : (
        <div className={classes.cells} aria-busy>
          <Skeleton height={14} width="30%" mb={12} />
          <Skeleton height={14} width="60%" />
        </div>
      )}
    </>
  );
}

function RunHead({
  run,
  files,
  onOpenFile,
}: { run: Run; project: Project } & Pick<RunViewProps, 'files' | 'onOpenFile'>) {
  const { file } = run;
  const isThere = file && files.some(({ id }) => id === file.id);
  return (
    <>
      <h2 className={classes.title}>Run {run.number}</h2>
      <StatusChip run={run} />
      <span className={classes.about}>
        {file && isThere ? (
          <Anchor component="button" type="button" inherit underline="always" onClick={() => onOpenFile(file.id)}>
            {file.name}
          </Anchor>
        ) : (
          (file?.name ?? 'Deleted file')
        )}
        <span>
          {run.starter ? `${personName(run.starter)}, ` : ''}
          <When time={run.started_at} />
        </span>
        {Object.entries(run.parameters).map(([name, value]) => (
          <span key={name}>
            {name} = {String(value)}
          </span>
        ))}
      </span>
    </>
  );
}

export function RunActions({ run, project }: { run: Run; project: Project }) {
  const stop = useStopRun(project.id);
  const isRunning = run.status === 'running';
  return (
    <>
      {run.has_result && (
        <Tooltip label="Download notebook with outputs">
          <ActionIcon
            size={26}
            component="a"
            href={resultUrl(project.id, run.id)}
            aria-label={`Download the result of run ${run.number}`}
          >
            <IconDownload size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      {isRunning && project.permissions.includes('execute') && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerStopFilled size={12} />}
          loading={stop.isPending || stop.isSuccess}
          onClick={() => stop.mutate(run.id)}
          aria-label={`Stop run ${run.number}`}
        >
          Stop
        </Button>
      )}
    </>
  );
}

function RunBody({ run, projectId, files }: { run: RunDetail; projectId: string; files: ProjectFile[] }) {
  const scroll = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  // Who has scrolled up is reading; who has not is watching.
  useLayoutEffect(() => {
    const box = scroll.current;
    if (box && isAtEnd.current && run.status === 'running') box.scrollTop = box.scrollHeight;
  }, [run]);
  const isScript = extensionOf(run.file?.name ?? '') !== 'ipynb';
  const cells = useRunCells(run, projectId, files);
  const isRunning = run.status === 'running';
  return (
    <section
      ref={scroll}
      className={classes.cells}
      aria-label={`Output of run ${run.number}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {run.error_reason && (
        <p className={classes.reason} data-status={run.status} role="alert">
          {run.error_reason}
        </p>
      )}
      {run.notices.map((notice) => (
        <p key={notice} className={classes.reason}>
          {notice}
        </p>
      ))}
      {isRunning && run.executions.length === 0 && <p className={classes.waiting}>The kernel is starting…</p>}
      {!isRunning && run.executions.length === 0 && !run.error_reason && (
        <p className={classes.waiting}>The file contains no code.</p>
      )}
      <ol>
        {run.executions.map((execution) => (
          <RunCell
            key={execution.id}
            execution={execution}
            place={cells(execution.cell)}
            isScript={isScript}
            runReason={run.error_reason}
          />
        ))}
      </ol>
    </section>
  );
}

/** Which cell of the notebook one is, and what is in it; a script is one without a name. */
function useRunCells(run: Run, projectId: string, files: ProjectFile[]) {
  const { file, version } = run;
  const now = files.find(({ id }) => id === file?.id);
  const isNotebook = extensionOf(file?.name ?? '') === 'ipynb';
  const unchanged = isNotebook && now && now.version === version?.number ? contentUrl(now) : null;
  const { data } = useQuery(runCellsQuery(projectId, { ...run, has_result: isNotebook && run.has_result }, unchanged));
  return (key: string | null) => {
    if (!isNotebook) return null;
    const index = data?.findIndex((cell, at) => cell.id === key || `:${at + 1}` === key) ?? -1;
    return index === -1 ? null : { number: index + 1, source: data?.[index]?.source ?? '' };
  };
}
