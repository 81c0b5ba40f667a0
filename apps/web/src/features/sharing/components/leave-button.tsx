import type { ProjectDetail } from '@atoll/contract/projects/entity';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLeaveProject } from '../mutations.ts';

/** Only somebody else can undo it, so it takes a second press. */
export function LeaveButton({ project, permissionId }: { project: ProjectDetail; permissionId: string }) {
  const [isSure, setSure] = useState(false);
  const leave = useLeaveProject();
  return (
    <Button
      variant={isSure ? 'filled' : 'default'}
      color="danger"
      style={{ alignSelf: 'flex-start' }}
      loading={leave.isPending}
      onClick={() => (isSure ? leave.mutate({ id: project.id, permissionId, project }) : setSure(true))}
      onBlur={() => setSure(false)}
    >
      Leave project
    </Button>
  );
}
