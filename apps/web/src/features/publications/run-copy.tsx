import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';

interface RunCopyProps {
  hasProjectFiles: boolean;
  isPending: boolean;
  onRun(): void;
}

/** What a reader agrees to before code of others runs. */
export function RunCopy({ hasProjectFiles, isPending, onRun }: RunCopyProps) {
  return (
    <Stack>
      <Text size="sm">
        You get a copy of your own, {hasProjectFiles ? 'with the files of the project' : 'without other files'}. It runs
        within your execution time and has none of your secrets. It is deleted a day after you last open it.
      </Text>
      <Group>
        <Button leftSection={<IconPlayerPlay size={16} stroke={1.6} />} loading={isPending} onClick={onRun}>
          Run a copy
        </Button>
      </Group>
    </Stack>
  );
}
