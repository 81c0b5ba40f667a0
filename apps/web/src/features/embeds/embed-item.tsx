import { Menu } from '@mantine/core';
import { IconFrame } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../projects/queries.ts';

/** In the menus of a cell and of a notebook, for people who may embed. */
export function EmbedItem({ projectId, onClick }: { projectId: string; onClick(): void }) {
  const { data: project } = useQuery(projectQuery(projectId));
  if (!project?.permissions.includes('embed')) return null;
  return (
    <Menu.Item leftSection={<IconFrame size={15} stroke={1.6} />} onClick={onClick}>
      Embed…
    </Menu.Item>
  );
}
