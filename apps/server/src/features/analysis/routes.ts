import { endpoints } from '../../platform/http/implement.ts';
import { analyticsOf } from './service/analytics.ts';
import { inheritanceOf, provenanceOf } from './service/relatives.ts';

const { analysis } = endpoints;

export const analysisRoutes = {
  provenance: analysis.provenance.handler(async ({ context, input }) => ({
    entries: await provenanceOf(context, input.id),
  })),
  inheritance: analysis.inheritance.handler(({ context, input }) => inheritanceOf(context, input.id)),
  analytics: analysis.analytics.handler(({ context, input }) => analyticsOf(context, input)),
};
