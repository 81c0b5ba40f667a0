import type { UseCommands, WebFeature } from '../../platform/features/web-feature.ts';
import { useEnabledFeatures } from '../session/enabled-features.ts';

export type CommandSources = Promise<{ feature: WebFeature; useCommands: UseCommands }[]>;
type Groups = ReturnType<UseCommands>;

export const loadCommands = (features: readonly WebFeature[]): CommandSources =>
  Promise.all(
    features.flatMap((feature) => feature.commands?.().then((useCommands) => ({ feature, useCommands })) ?? []),
  );

/** All are asked, since hooks must not change; what is switched off is left out afterwards. */
export function useGroups(sources: Awaited<CommandSources>, query: string): Groups {
  const enabled = useEnabledFeatures();
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of features is fixed, so each render calls the same hooks.
  const offered = sources.map(({ feature, useCommands }) => ({ feature, groups: useCommands(query) }));
  return offered.flatMap(({ feature, groups }) => (enabled.includes(feature) ? groups : []));
}

/** What several features offer under one name stands together, where that name comes last. */
export function inGroups(groups: Groups): Groups {
  const names = [...new Set(groups.map(({ group }) => group).reverse())].reverse();
  return names.map((name) => ({
    group: name,
    actions: groups.flatMap(({ group, actions }) => (group === name ? actions : [])),
  }));
}
