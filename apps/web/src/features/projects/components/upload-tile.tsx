import { FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { toastProjectError } from '../mutations.ts';
import { StartTile } from './start-tile.tsx';

interface UploadTileProps {
  pending: boolean;
  onFile(file: File): Promise<void>;
}

export function UploadTile({ pending, onFile }: UploadTileProps) {
  const [sending, setSending] = useState(false);
  const send = async (file: File | null) => {
    if (!file) return;
    setSending(true);
    await onFile(file).catch((error) => toastProjectError(error, 'The file was not uploaded'));
    setSending(false);
  };
  return (
    <FileButton accept=".ipynb,.zip" onChange={send}>
      {({ onClick }) => (
        <StartTile
          icon={IconUpload}
          label="Upload a notebook or a zip"
          text="A .ipynb, or a .zip with everything in it. Dragging one, or a whole folder, onto the list of projects does the same."
          pending={pending || sending}
          onClick={onClick}
        />
      )}
    </FileButton>
  );
}
