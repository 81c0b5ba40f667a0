import { useMemo } from 'react';
import { type LoadedFeature, useFeatures, useLoadedFeatures } from '../../platform/features/registry.ts';
import { isOn, type WebFeature } from '../../platform/features/web-feature.ts';
import { useSession } from './queries.ts';

/** The features that are switched on for this person. */
export const useEnabledFeatures = (): WebFeature[] => useEnabled(useFeatures());

/** The same with all their parts, once they are there. */
export const useEnabledParts = (): LoadedFeature[] => useEnabled(useLoadedFeatures());

function useEnabled<Feature extends WebFeature>(features: readonly Feature[]): Feature[] {
  const session = useSession();
  return useMemo(() => features.filter((feature) => isOn(feature, session)), [features, session]);
}
