import { ActionIcon, FileButton, Skeleton, Tooltip } from '@mantine/core';
import { IconDownload, IconFilePlus, IconFolderPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PanelProps } from '../../../platform/features/panel.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { archiveUrl } from '../addresses.ts';
import { treeQuery } from '../queries.ts';
import { FileTree } from './file-tree.tsx';
import classes from './files-panel.module.css';
import type { Tree } from './tree.ts';
import { useTreeActions } from './tree-actions.ts';
import { folderOf, useTreeState } from './tree-state.ts';
import { UploadList } from './upload-list.tsx';

const nothing: Tree = { files: [], directories: [] };
const icon = { size: 17, stroke: 1.6 };

export function FilesPanel({ project, file, canEdit, onOpen }: PanelProps) {
  const { data: tree = nothing } = useQuery(treeQuery(project.id));
  const shownId = file?.id;
  const openFile = ({ id }: { id: string }) => onOpen(id);
  const state = useTreeState(project.id, tree);
  const actions = useTreeActions(project.id, tree, openFile);
  const folder = folderOf(state.rows[state.indexOf(state.active)]);
  const shownPath = tree.files.find((file) => file.id === shownId)?.path;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another file asks for its folders.
  useEffect(() => {
    if (!shownPath) return;
    state.reveal(shownPath);
    state.choose(shownPath);
  }, [shownPath]);

  return (
    <>
      <div className={classes.bar}>
        <h2 className={classes.heading}>Files</h2>
        {canEdit && (
          <>
            <IconButton label="New file" onClick={() => state.name({ kind: 'file', path: folder })}>
              <IconFilePlus {...icon} />
            </IconButton>
            <IconButton label="New folder" onClick={() => state.name({ kind: 'folder', path: folder })}>
              <IconFolderPlus {...icon} />
            </IconButton>
            <FileButton multiple onChange={(files) => actions.upload(folder, files.map(asUpload))}>
              {(props) => (
                <IconButton label="Upload files" {...props}>
                  <IconUpload {...icon} />
                </IconButton>
              )}
            </FileButton>
          </>
        )}
        {project.permissions.includes('export') && (
          <Tooltip label="Download project as zip">
            <ActionIcon component="a" href={archiveUrl(project.id)} aria-label="Download project as zip">
              <IconDownload {...icon} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {tree === nothing ? (
        <div className={classes.skeleton} aria-busy>
          {[60, 45, 70, 52, 38].map((width) => (
            <Skeleton key={width} height={14} width={`${width}%`} />
          ))}
        </div>
      ) : (
        <FileTree
          projectId={project.id}
          tree={tree}
          state={state}
          actions={actions}
          shownId={shownId}
          canEdit={canEdit}
          onOpen={openFile}
        />
      )}
      <UploadList projectId={project.id} />
    </>
  );
}

const asUpload = (content: File) => ({ name: content.name, content });
