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
    await onFile(file).catch((error) => toastProjectError(error, 'Upload failed'));
    setSending(false);
  };
  return (
    <FileButton accept=".ipynb,.zip" onChange={send}>
      {({ onClick }) => (
        <StartTile
          icon={IconUpload}
          label="Upload a notebook or a zip"
          text="A .ipynb file or a .zip archive. You can also drop files or a folder onto the project list."
          pending={pending || sending}
          onClick={onClick}
        />
      )}
    </FileButton>
  );
}
