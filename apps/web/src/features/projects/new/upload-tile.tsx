import { FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { uploadableFiles } from '../model.ts';
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
    <FileButton accept={uploadableFiles} onChange={send}>
      {({ onClick }) => (
        <StartTile
          icon={IconUpload}
          label="Upload a file"
          text="A notebook, a table (csv, parquet, xlsx, json) or a .zip. You can also drop files or a folder onto Home or the project list."
          pending={pending || sending}
          onClick={onClick}
        />
      )}
    </FileButton>
  );
}
