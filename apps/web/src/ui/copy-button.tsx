import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

export function CopyButton({ value, label = 'Copy', onCopied }: { value: string; label?: string; onCopied?(): void }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    onCopied?.();
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button
      variant="default"
      size="xs"
      onClick={copy}
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
