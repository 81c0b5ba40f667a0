import type { ProjectFile } from '@atoll/contract/files/entity';
import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { ActionIcon, Badge, Button, Menu, SegmentedControl } from '@mantine/core';
import {
  IconChevronDown,
  IconInfoCircle,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLayoutSidebarRightExpand,
  IconNews,
  IconPencilOff,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { DocumentView } from '../../../platform/features/document-kind.ts';
import { lazyPart } from '../../../platform/features/lazy-part.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { Avatars } from '../../collaboration/avatars.tsx';
import { SaveMark } from '../../files/save-mark.tsx';
import { PublishButton } from '../../publications/publish-button.tsx';
import { ShareButton } from '../../sharing/share-button.tsx';
import { ProjectMenu } from '../project-menu.tsx';
import { VisibilityMark } from '../visibility-mark.tsx';
import classes from './project-page.module.css';
import { ProjectTitle } from './project-title.tsx';
import type { ShownPanel } from './use-side-panels.ts';

const AboutProject = lazyPart(() => import('../about/about-project.tsx'), 'AboutProject');

interface ProjectHeaderProps {
  project: ProjectDetail;
  file: ProjectFile | undefined;
  views: DocumentView[];
  view: DocumentView | undefined;
  onView(view: string): void;
  panels: ShownPanel[];
  files: ProjectFile[];
  onOpen(fileId: string): void;
}

export function ProjectHeader({ project, file, views, view, panels, ...props }: ProjectHeaderProps) {
  const navigate = useNavigate();
  const [aboutShown, setAboutShown] = useState(false);
  const onRight = panels.filter(({ place }) => place === 'right');
  const canEdit = project.permissions.includes('edit');
  const isNarrow = useIsNarrow();
  return (
    <header className={classes.header}>
      {panels
        .filter(({ place }) => place === 'left')
        .map((panel) => (
          <LeftPanelButton key={panel.id} {...panel} />
        ))}
      <ProjectTitle project={project} canRename={canEdit && !isNarrow && !project.deleted_at} />
      <VisibilityMark visibility={project.visibility} />
      <IconButton label="About this project" size={24} onClick={() => setAboutShown(true)}>
        <IconInfoCircle size={16} stroke={1.6} />
      </IconButton>
      <Suspense>{aboutShown && <AboutProject project={project} onClose={() => setAboutShown(false)} />}</Suspense>
      {project.is_published && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes.published}
          leftSection={<IconNews size={13} stroke={1.6} />}
          onClick={() => setAboutShown(true)}
        >
          Published
        </Button>
      )}
      <ProjectMenu project={project} onDeleted={() => void navigate({ to: '/projects' })} />
      {!canEdit && (
        <Badge color="gray" className={classes.readOnly} leftSection={<IconPencilOff size={12} stroke={1.8} />}>
          Read only
        </Badge>
      )}
      <div className={classes.spring} />
      <Avatars files={props.files} onGo={props.onOpen} />
      <ShareButton project={project} />
      <PublishButton key={file?.id} project={project} file={file} />
      {file && canEdit && views.some(({ isTextEditor }) => isTextEditor) && !view?.isWithoutText && (
        <SaveMark file={file} />
      )}
      {!isNarrow &&
        onRight
          .filter(({ isAboutFile }) => !isAboutFile)
          .map((panel) => <PanelButton key={panel.id} panel={panel} project={project} />)}
      {views.length > 1 && <Views views={views} view={view} onView={props.onView} />}
      {isNarrow ? (
        <PanelsMenu panels={onRight} project={project} />
      ) : (
        onRight
          .filter(({ isAboutFile }) => isAboutFile)
          .map((panel) => <PanelButton key={panel.id} panel={panel} project={project} />)
      )}
    </header>
  );
}

function Views({ views, view, onView }: Pick<ProjectHeaderProps, 'views' | 'view' | 'onView'>) {
  const isNarrow = useIsNarrow();
  if (!isNarrow || views.length < 3) {
    return (
      <SegmentedControl
        aria-label="View"
        size="xs"
        className={classes.views}
        value={view?.id}
        onChange={onView}
        data={views.map(({ id, label }) => ({ value: id, label }))}
      />
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          className={classes.views}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          {view?.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map(({ id, label }) => (
          <Menu.Item key={id} fw={id === view?.id ? 600 : undefined} onClick={() => onView(id)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function LeftPanelButton({ label, isShown, toggle }: ShownPanel) {
  const words = `${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`;
  const Arrow = isShown ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  return (
    <IconButton label={words} size={32} aria-expanded={isShown} onClick={toggle}>
      <Arrow size={18} stroke={1.6} />
    </IconButton>
  );
}

/** A phone has no room for a button each, and features add more of them. */
function PanelsMenu({ panels, project }: { panels: ShownPanel[]; project: ProjectDetail }) {
  if (panels.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label="Panels">
          <IconLayoutSidebarRightExpand size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {panels.map((panel) => (
          <Menu.Item
            key={panel.id}
            fw={panel.isShown ? 600 : undefined}
            leftSection={<panel.icon size={16} stroke={1.6} />}
            onClick={panel.toggle}
          >
            {labelOf(panel, project)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const labelOf = (panel: ShownPanel, project: ProjectDetail) => panel.buttonLabel?.(project) ?? panel.label;

function PanelButton({ panel, project }: { panel: ShownPanel; project: ProjectDetail }) {
  const label = labelOf(panel, project);
  return (
    <IconButton label={label} size={32} isPressed={panel.isShown} onClick={panel.toggle}>
      <panel.icon size={18} stroke={1.6} />
    </IconButton>
  );
}
