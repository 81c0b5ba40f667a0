import type { WebFeature } from '../../platform/features/web-feature.ts';

export const peopleFeature: WebFeature = {
  name: 'people',
  commands: async () => (await import('./use-people-commands.tsx')).usePeopleCommands,
};
