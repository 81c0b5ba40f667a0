import type { WebFeature } from '../../platform/features/web-feature.ts';

export const notebookFeature: WebFeature = {
  name: 'notebook',
  commands: async () => (await import('./page/use-notebook-commands.ts')).useNotebookCommands,
  parts: async () => (await import('./parts.ts')).parts,
};
