import { useSyncExternalStore } from 'react';
import type { UseCommands } from '../../../platform/features/web-feature.ts';
import { keysOf } from '../commands.ts';
import { capsOf } from '../keys.ts';
import { getOpenNotebook, onOpenNotebook } from '../open.ts';

/** Of what can be done in the notebook on the screen, so much is listed before something is typed. */
const listedGroups = ['Running', 'Kernel'];

/** What can be done in the notebook on the screen. */
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
