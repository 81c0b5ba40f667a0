import { defineFeature } from '../../platform/feature.ts';
import { artifactRawRoutes } from './raw-routes.ts';
import { artifactRoutes } from './routes.ts';

/** Artifacts have no rules of their own: they are part of a project's history. */
export const artifactsFeature = defineFeature({
  name: 'artifacts',
  policy: {},
  routes: { artifacts: artifactRoutes },
  rawRoutes: artifactRawRoutes,
});
