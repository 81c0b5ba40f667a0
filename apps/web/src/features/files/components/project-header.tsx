import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { ActionIcon, Badge, SegmentedControl, Title, Tooltip } from '@mantine/core';
import {
  IconHistory,
  IconInfoCircle,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconPencilOff,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Avatars } from '../../collaboration/components/avatars.tsx';
import { CommentsButton } from '../../comments/components/comments-button.tsx';
import { ProjectMenu } from '../../projects/components/project-menu.tsx';
import { VisibilityMark } from '../../projects/components/visibility-mark.tsx';
import { ShareButton } from '../../sharing/components/share-button.tsx';
import { isNotebook, type PageView, pageViews } from '../model.ts';
import classes from './project-page.module.css';
import { SaveMark } from './save-mark.tsx';

const AboutProject = lazy(() =>
  import('../../projects/components/about-project.tsx').then((module) => ({ default: module.AboutProject })),
);

interface ProjectHeaderProps {
  project: ProjectDetail;
  file: ProjectFile | undefined;
  views: PageView[];
  view: PageView | undefined;
  onView(view: PageView): void;
  filesShown: boolean;
  onFiles(): void;
  historyShown: boolean;
  onHistory?(): void;
  files: ProjectFile[];
  onOpen(fileId: string): void;
}

const labelOf = (view: PageView, file: ProjectFile | undefined): string =>
  file && isNotebook(file.name) ? { preview: 'Notebook', code: 'Raw', data: 'Data' }[view] : viewLabels[view];
const viewLabels: Record<PageView, string> = { code: 'Code', data: 'Data', preview: 'Preview' };

export function ProjectHeader({ project, file, views, view, ...props }: ProjectHeaderProps) {
  const navigate = useNavigate();
  const [aboutShown, setAboutShown] = useState(false);
  const filesLabel = props.filesShown ? 'Hide files' : 'Show files';
  const Files = props.filesShown ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  const canEdit = project.permissions.includes('edit');
  const isOpenNotebook = file && isNotebook(file.name) && view === 'preview';
  return (
    <header className={classes.header}>
      <Tooltip label={filesLabel}>
        <ActionIcon size={32} aria-label={filesLabel} aria-expanded={props.filesShown} onClick={props.onFiles}>
          <Files size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Title order={1} className={classes.title} title={project.name}>
        {project.name}
      </Title>
      <VisibilityMark visibility={project.visibility} />
      <Tooltip label="About this project">
        <ActionIcon size={24} aria-label="About this project" onClick={() => setAboutShown(true)}>
          <IconInfoCircle size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Suspense>{aboutShown && <AboutProject project={project} onClose={() => setAboutShown(false)} />}</Suspense>
      <ProjectMenu project={project} onDeleted={() => void navigate({ to: '/projects' })} />
      {!canEdit && (
        <Badge color="gray" className={classes.readOnly} leftSection={<IconPencilOff size={12} stroke={1.8} />}>
          Read only
        </Badge>
      )}
      <div className={classes.spring} />
      <Avatars files={props.files} onGo={props.onOpen} />
      <ShareButton project={project} />
      {/* Looking at a table needs no text of it, and a notebook says itself how it is saved. */}
      {file && canEdit && views.includes('code') && view !== 'data' && !isOpenNotebook && <SaveMark file={file} />}
      <CommentsButton project={project} />
      {views.length > 1 && (
        <SegmentedControl
          aria-label="View"
          size="xs"
          className={classes.views}
          value={view}
          onChange={(next) => props.onView(next as PageView)}
          data={pageViews
            .filter((each) => views.includes(each))
            .map((each) => ({ value: each, label: labelOf(each, file) }))}
        />
      )}
      {props.onHistory && (
        <Tooltip label="Version history">
          <ActionIcon
            size={32}
            aria-label="Version history"
            aria-pressed={props.historyShown}
            variant={props.historyShown ? 'light' : 'subtle'}
            onClick={props.onHistory}
          >
            <IconHistory size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
    </header>
  );
}
