import { Menu, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { toastError } from '../../../../ui/toast.ts';
import { downloadAs } from '../../../notebook/export.ts';
import { useNotebook } from '../../../notebook/notebook-context.tsx';
import classes from './panels.module.css';

const formats = [
  ['png', 'Picture (.png)'],
  ['svg', 'Drawing (.svg)'],
  ['board', 'Page (.pdf)'],
] as const;

/** A frame as a file. */
export function DownloadMenu({ frameId }: { frameId: string }) {
  const notebook = useNotebook();
  return (
    <Menu position="bottom" width={190}>
      <Menu.Target>
        <UnstyledButton className={classes.barWords}>
          <IconDownload size={16} stroke={1.6} aria-hidden /> Download
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(([type, label]) => (
          <Menu.Item
            key={type}
            onClick={() =>
              downloadAs(notebook, type, frameId).catch((error: unknown) => toastError(error, 'Download failed'))
            }
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
