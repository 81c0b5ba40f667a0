import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

export function DownloadButton({ href }: { href: string }) {
  return (
    <Button component="a" href={href} variant="default" leftSection={<IconDownload size={16} />}>
      Download
    </Button>
  );
}
