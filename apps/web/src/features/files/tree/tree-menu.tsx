import { Menu } from '@mantine/core';
import {
  IconClipboard,
  IconCopy,
  IconDownload,
  IconFilePlus,
  IconFolderPlus,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { toast } from '../../../ui/toast.ts';
import { archiveUrl, downloadUrl } from '../addresses.ts';
import type { TreeRow } from './tree.ts';
import type { TreeActions } from './tree-actions.ts';
import { folderOf, type TreeState } from './tree-state.ts';

export interface MenuPlace {
  x: number;
  y: number;
  row: TreeRow;
}

interface TreeMenuProps {
  projectId: string;
  place: MenuPlace | null;
  state: TreeState;
  actions: TreeActions;
  canEdit: boolean;
  onClose(): void;
}

const icon = { size: 16, stroke: 1.6 };

/** One menu for all lines, at the place of the click; it acts on the whole selection. */
export function TreeMenu({ projectId, place, state, actions, canEdit, onClose }: TreeMenuProps) {
  if (!place) return null;
  const { row } = place;
  const paths = state.selected.size ? [...state.selected] : [row.path];
  const isOne = paths.length === 1;
  const saved = isOne && row.file ? downloadUrl(row.file) : archiveUrl(projectId, paths);
  const folder = folderOf(row);
  const isAnyFile = state.rows.some(({ file, path }) => file && paths.includes(path));
  return (
    <Menu opened onClose={onClose} position="bottom-start" width={200} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: place.x, top: place.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        {canEdit && (
          <>
            <Menu.Item
              leftSection={<IconFilePlus {...icon} />}
              onClick={() => state.name({ kind: 'file', path: folder })}
            >
              New file here
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFolderPlus {...icon} />}
              onClick={() => state.name({ kind: 'folder', path: folder })}
            >
              New folder here
            </Menu.Item>
            <Menu.Divider />
            {isOne && (
              <Menu.Item
                leftSection={<IconPencil {...icon} />}
                onClick={() => state.name({ kind: 'rename', path: row.path })}
              >
                Rename
              </Menu.Item>
            )}
            {isAnyFile && (
              <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => actions.duplicate(paths)}>
                Duplicate
              </Menu.Item>
            )}
          </>
        )}
        {isOne && (
          <Menu.Item
            leftSection={<IconClipboard {...icon} />}
            onClick={() => void navigator.clipboard.writeText(row.path).then(() => toast('Path copied.'))}
          >
            Copy path
          </Menu.Item>
        )}
        <Menu.Item component="a" href={saved} leftSection={<IconDownload {...icon} />}>
          {isOne && row.file ? 'Download' : 'Download as zip'}
        </Menu.Item>
        {canEdit && (
          <Menu.Item color="danger" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(paths)}>
            {isOne ? 'Delete' : `Delete ${paths.length} items`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
