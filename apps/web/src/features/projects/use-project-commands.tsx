import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { UseCommands } from '../../platform/features/web-feature.ts';
import { useSession } from '../session/queries.ts';
import { kindWords } from './kinds.ts';
import { askNewProject } from './new-project.ts';
import { projectSearchQuery, recentProjectsQuery } from './queries.ts';

const icon = { size: 18, stroke: 1.6 };

/** What the command palette offers about projects: a new one, and those whose name fits, or the most recent ones. */
export const useProjectCommands: UseCommands = (query) => {
  const router = useRouter();
  const isOn = useSession().features?.projects?.enabled === true;
  const [search] = useDebouncedValue(query.trim(), 200);
  const { data, isPlaceholderData } = useQuery(projectSearchQuery(isOn ? search : ''));
  const recent = useQuery({ ...recentProjectsQuery, enabled: isOn });
  const isSearching = search.length > 1;
  const found = (isSearching ? data?.entries : recent.data?.entries) ?? [];
  return [
    {
      group: isSearching ? 'Projects' : 'Recent projects',
      actions: found.map(({ id, name, kind, owner }) => {
        const { icon: Icon, label } = kindWords[kind];
        return {
          id: `project-${id}`,
          label: name,
          description: `${label} of ${owner.user_name}`,
          // The server decides what fits, misspellings too; the palette filters only what was found for something else.
          keywords: isSearching && !isPlaceholderData ? [query] : [],
          leftSection: <Icon {...icon} />,
          onClick: () => void router.navigate({ to: '/projects/$projectId', params: { projectId: id } }),
        };
      }),
    },
    {
      group: 'Actions',
      actions: [
        {
          id: 'new-project',
          label: 'New project',
          keywords: ['create', 'notebook', 'template', 'upload'],
          leftSection: <IconPlus {...icon} />,
          onClick: askNewProject,
        },
      ],
    },
  ];
};
