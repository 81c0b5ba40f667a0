import { IconFolders, IconTrash } from '@tabler/icons-react';
import type { ProjectListTab, WebFeature } from '../../platform/features/web-feature.ts';
import { useProjectListsLive } from './live.ts';
import { type ListSearch, modes } from './model.ts';

const tab = (id: string, label: string, search: ListSearch): ProjectListTab => ({ id, label, search });

export const projectsFeature: WebFeature = {
  name: 'projects',
  flag: 'projects',
  navigation: [{ label: 'Projects', icon: IconFolders, to: '/projects', group: 'work', isEditor: true }],
  commands: async () => (await import('./use-project-commands.tsx')).useProjectCommands,
  projectTabs: [
    tab('my', modes.my, {}),
    tab('shared', modes.shared, { mode: 'shared' }),
    tab('community', modes.community, { mode: 'community' }),
    tab('all', modes.all, { mode: 'all' }),
    { ...tab('bin', 'Bin', { mode_filter: ['deleted'] }), icon: IconTrash },
  ],
  useLive: useProjectListsLive,
};
