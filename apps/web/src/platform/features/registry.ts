import { createContext, use, useContext, useMemo } from 'react';
import { type DocumentKind, documentKindOf } from './document-kind.ts';
import type { FeatureParts, WebFeature } from './web-feature.ts';

export type LoadedFeature = WebFeature & { loaded: FeatureParts };

/** All features. Places that show them import none of them. */
export class FeatureRegistry {
  readonly features: readonly WebFeature[];
  loaded: LoadedFeature[] | null = null;
  private loading: Promise<LoadedFeature[]> | null = null;

  constructor(features: readonly WebFeature[]) {
    this.features = features;
  }

  load(): Promise<LoadedFeature[]> {
    this.loading ??= this.loadParts().catch((error: unknown) => {
      // The next caller tries again.
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  private async loadParts(): Promise<LoadedFeature[]> {
    this.loaded = await Promise.all(
      this.features.map(async (feature) => ({ ...feature, loaded: (await feature.parts?.()) ?? {} })),
    );
    return this.loaded;
  }
}

export const RegistryContext = createContext(new FeatureRegistry([]));

export const useFeatures = (): readonly WebFeature[] => useContext(RegistryContext).features;

export function useLoadedFeatures(): LoadedFeature[] {
  const registry = useContext(RegistryContext);
  return registry.loaded ?? use(registry.load());
}

export function useDocumentKinds(): DocumentKind[] {
  const features = useLoadedFeatures();
  return useMemo(() => features.flatMap(({ loaded }) => loaded.documents ?? []), [features]);
}

export function useDocumentKind(name: string | undefined): DocumentKind | undefined {
  const kinds = useDocumentKinds();
  return name === undefined ? undefined : documentKindOf(kinds, name);
}
