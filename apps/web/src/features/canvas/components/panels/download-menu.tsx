import { Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { toastError } from '../../../../ui/toast.ts';
import { downloadAs } from '../../../notebook/export.ts';
import { useNotebook } from '../../../notebook/notebook-context.tsx';
import { BarMenu } from './bar-menu.tsx';

const formats = [
  ['png', 'Picture (.png)'],
  ['svg', 'Drawing (.svg)'],
  ['board', 'Page (.pdf)'],
] as const;

/** A frame as a file. */
export function DownloadMenu({ frameId }: { frameId: string }) {
  const notebook = useNotebook();
  return (
    <BarMenu icon={IconDownload} words="Download" width={190}>
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
    </BarMenu>
  );
}
