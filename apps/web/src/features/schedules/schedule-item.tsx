import { Menu } from '@mantine/core';
import { IconCalendarClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../projects/queries.ts';
import { useSession } from '../session/queries.ts';

/** In the menu of a notebook, for people who may run it unattended. */
export function ScheduleItem({ projectId, onClick }: { projectId: string; onClick(): void }) {
  const { data: project } = useQuery(projectQuery(projectId));
  if (!useMaySchedule(project?.permissions)) return null;
  return (
    <Menu.Item leftSection={<IconCalendarClock size={15} stroke={1.6} />} onClick={onClick}>
      Schedule…
    </Menu.Item>
  );
}

export function useMaySchedule(permissions: readonly string[] | undefined): boolean {
  const { features, is_guest } = useSession();
  return (
    !is_guest &&
    features?.schedule?.enabled === true &&
    ['edit', 'execute'].every((ability) => permissions?.includes(ability))
  );
}
