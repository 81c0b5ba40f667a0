import { useSyncExternalStore } from 'react';
import type { UseCommands } from '../../../platform/features/web-feature.ts';
import { keysOf } from '../commands.ts';
import { capsOf } from '../keys.ts';
import { getOpenNotebook, onOpenNotebook } from '../open.ts';

/** Groups of commands that are listed before anything is typed. */
const listedGroups = ['Running', 'Kernel'];

/** The commands of the notebook on the screen. */
export const useNotebookCommands: UseCommands = (query) => {
  const open = useSyncExternalStore(onOpenNotebook, getOpenNotebook);
  if (!open) return [];
  const listed = open.commands.filter(({ group }) => query || listedGroups.includes(group));
  const actions = listed.map((command) => ({
    id: `notebook-${command.id}`,
    label: command.label,
    rightSection: capsOf(keysOf(command)[0] ?? '')
      .map((press) => press.join(' '))
      .join(', '),
    // The palette gives the focus back first.
    onClick: () => void setTimeout(() => command.run(open.notebook)),
  }));
  return [{ group: 'Notebook', actions }];
};
