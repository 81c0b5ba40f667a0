import type { Project } from '@atoll/contract/projects/entity';
import { Menu } from '@mantine/core';
import { IconArrowBackUp, IconCopy, IconDownload, IconSettings, IconTransfer, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../platform/features/lazy-part.ts';
import { DotsMenu } from '../../ui/buttons/dots-menu.tsx';
import { archiveUrl } from '../files/addresses.ts';
import { useCloneProject, useDeleteProject, useRestoreProject } from './mutations.ts';

const ProjectSettings = lazyPart(() => import('./settings/project-settings.tsx'), 'ProjectSettings');
const TransferProject = lazyPart(() => import('./settings/transfer-project.tsx'), 'TransferProject');
const DeletePermanently = lazyPart(() => import('./settings/delete-permanently.tsx'), 'DeletePermanently');

const icon = { size: 16, stroke: 1.6 };

interface ProjectMenuProps {
  project: Project;
  onDeleted?(): void;
}

/** What this person may do with a project, wherever it is shown. */
export function ProjectMenu({ project, onDeleted }: ProjectMenuProps) {
  const [dialog, setDialog] = useState<'settings' | 'delete' | 'transfer' | null>(null);
  const clone = useCloneProject();
  const remove = useDeleteProject();
  const restore = useRestoreProject();
  const may = (ability: Project['permissions'][number]) => project.permissions.includes(ability);
  const close = () => setDialog(null);
  if (project.deleted_at ? !may('delete') : !['edit', 'clone', 'export', 'delete'].some((each) => may(each as 'edit')))
    return null;
  return (
    <>
      <DotsMenu
        label={`Actions for ${project.name}`}
        icon={{ size: 17 }}
        width={200}
        withinPortal={false}
        floatingStrategy="fixed"
      >
        {project.deleted_at ? (
          <>
            <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => restore.mutate(project)}>
              Restore
            </Menu.Item>
            <Menu.Item color="danger" leftSection={<IconTrash {...icon} />} onClick={() => setDialog('delete')}>
              Delete permanently…
            </Menu.Item>
          </>
        ) : (
          <>
            {may('edit') && (
              <Menu.Item leftSection={<IconSettings {...icon} />} onClick={() => setDialog('settings')}>
                Settings…
              </Menu.Item>
            )}
            {may('clone') && (
              <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => clone.mutate(project)}>
                Clone
              </Menu.Item>
            )}
            {may('export') && (
              <Menu.Item component="a" href={archiveUrl(project.id)} leftSection={<IconDownload {...icon} />}>
                Download as zip
              </Menu.Item>
            )}
            {may('transfer') && (
              <Menu.Item leftSection={<IconTransfer {...icon} />} onClick={() => setDialog('transfer')}>
                Transfer ownership…
              </Menu.Item>
            )}
            {may('delete') && (
              <Menu.Item
                color="danger"
                leftSection={<IconTrash {...icon} />}
                onClick={() => remove.mutate(project, { onSuccess: onDeleted })}
              >
                Move to bin
              </Menu.Item>
            )}
          </>
        )}
      </DotsMenu>
      <Suspense>
        {dialog === 'settings' && (
          <ProjectSettings project={project} onClose={close} onTransfer={() => setDialog('transfer')} />
        )}
        {dialog === 'transfer' && <TransferProject project={project} onClose={close} />}
        {dialog === 'delete' && <DeletePermanently project={project} onClose={close} />}
      </Suspense>
    </>
  );
}
