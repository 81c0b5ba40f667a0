import { defineFeature } from '../../platform/feature.ts';
import { publicationPages } from './pages.ts';
import { publicationsPolicy } from './policy.ts';
import { publicationRoutes } from './routes.ts';
import { markBinned } from './service/binned.ts';
import { sweepCopies } from './service/copies.ts';
import { namesOfPublications } from './service/names.ts';
import { publishEndedRun } from './service/run-first.ts';
import { sweepVisits } from './service/stats.ts';

export const publicationsFeature = defineFeature({
  name: 'publications',
  policy: publicationsPolicy,
  routes: { publications: publicationRoutes },
  pages: publicationPages,
  entities: { publication: namesOfPublications },
  events: {
    'run.ended': (ctx, { run_id }) => publishEndedRun(ctx, run_id),
    'project.deleted': (ctx, { project_id }) => markBinned(ctx, project_id),
    'project.restored': (ctx, { project_id }) => markBinned(ctx, project_id),
  },
  async sweep(ctx) {
    await sweepVisits(ctx);
    await sweepCopies(ctx);
  },
});
