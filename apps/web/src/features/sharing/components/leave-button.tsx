import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useLeaveProject } from '../mutations.ts';

/** Only somebody else can undo it, so it takes a second press. */
export function LeaveButton({ project, permissionId }: { project: ProjectDetail; permissionId: string }) {
  const [isSure, setSure] = useState(false);
  const leave = useLeaveProject();
  return (
    <Group gap={8}>
      <Button
        variant={isSure ? 'filled' : 'default'}
        color="danger"
        loading={leave.isPending}
        onClick={() => (isSure ? leave.mutate({ id: project.id, permissionId, project }) : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {isSure ? 'Leave project' : 'Leave'}
      </Button>
      {isSure && (
        <Text size="sm" c="dimmed" role="status">
          You lose what was shared with you personally until someone shares it again.
        </Text>
      )}
    </Group>
  );
}
