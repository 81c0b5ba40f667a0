import type { UseCommands } from '../../platform/features/web-feature.ts';

export const useSampleCommands: UseCommands = (query) => [
  { group: 'Samples', actions: [{ id: 'sample', label: 'Take a sample', keywords: [query] }] },
];
