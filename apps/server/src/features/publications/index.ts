import { defineFeature } from '../../platform/feature.ts';
import { projectChanged, rightsChanged } from '../projects/service/audience.ts';
import { publicationNotifications } from './notifications.ts';
import { publicationPages } from './pages.ts';
import { publicationsPolicy } from './policy.ts';
import { publicationRoutes } from './routes.ts';
import { markBinned } from './service/binned.ts';
import { sweepCopies } from './service/copies.ts';
import { namesOfPublications } from './service/names.ts';
import { publishEndedRun, sweepEndedRuns } from './service/run-first.ts';
import { sweepVisits } from './service/stats.ts';

/** Who may read it may have changed: those who follow its comments are asked again. */
const readersChanged = async (_tx: unknown, { project_id }: { project_id: string }) => [rightsChanged(project_id)];

export const publicationsFeature = defineFeature({
  name: 'publications',
  policy: publicationsPolicy,
  routes: { publications: publicationRoutes },
  pages: publicationPages,
  notifications: publicationNotifications,
  entities: { publication: namesOfPublications },
  events: {
    'run.ended': (ctx, { run_id }) => publishEndedRun(ctx, run_id),
    'project.deleted': (ctx, { project_id }) => markBinned(ctx, project_id),
    'project.restored': (ctx, { project_id }) => markBinned(ctx, project_id),
  },
  broadcasts: {
    'publication.published': readersChanged,
    'publication.updated': readersChanged,
    'publication.unpublished': readersChanged,
    'publication.run_ended': async (_tx, { project_id }) => [projectChanged(project_id, ['publications'])],
  },
  async sweep(ctx) {
    await sweepVisits(ctx);
    await sweepCopies(ctx);
    await sweepEndedRuns(ctx);
  },
});
