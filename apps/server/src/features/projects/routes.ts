import type { Context } from '../../platform/context.ts';
import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { cloneProject, createProject } from './service/create.ts';
import { grantsOf } from './service/grants.ts';
import { latestVersions } from './service/latest.ts';
import { listProjects, listTags } from './service/list.ts';
import { acceptOffer, declineOffer, listOffers, offerOf, offerProject, withdrawOffer } from './service/offers.ts';
import { addShowcaseMedia, orderShowcaseMedia, removeShowcaseMedia, setThumbnail } from './service/pictures.ts';
import { portfolioMeta } from './service/portfolio-meta.ts';
import { withRelations } from './service/relations.ts';
import { acceptCode } from './service/transfer.ts';
import {
  deletePermanently,
  deleteProject,
  restoreProject,
  setTags,
  updateProject,
  viewProject,
} from './service/write.ts';
import type { ProjectRow } from './table.ts';
import { gallery } from './templates/gallery.ts';
import { templateDetail } from './templates/template-detail.ts';
import { projectDetailView, projectView } from './view.ts';

const { projects } = endpoints;

async function answer(ctx: Context, row: ProjectRow) {
  const [found] = await withRelations(ctx, [row]);
  if (!found) throw new Error('The project is gone');
  const [latest, portfolio, offer, grants] = await Promise.all([
    latestVersions(ctx, found),
    portfolioMeta(ctx).of(ctx, row),
    offerOf(ctx, found),
    grantsOf(ctx, found),
  ]);
  return projectDetailView({ ...found, latest, portfolio, offer, ...grants });
}

export const projectRoutes = {
  list: projects.list.handler(async ({ context, input }) => {
    const { entries, total } = await listProjects(context, input);
    const options = { withCollaborators: input.with_collaborators };
    return pageOf(input, { entries: entries.map((found) => projectView(found, options)), total });
  }),
  create: projects.create.handler(async ({ context, input }) => answer(context, await createProject(context, input))),
  get: projects.get.handler(async ({ context, input }) => answer(context, await viewProject(context, input.id))),
  update: projects.update.handler(async ({ context, input: { id, ...update } }) =>
    answer(context, await updateProject(context, id, update)),
  ),
  delete: projects.delete.handler(({ context, input }) => done(deleteProject(context, input.id))),
  deletePermanently: projects.deletePermanently.handler(({ context, input }) =>
    done(deletePermanently(context, input.id)),
  ),
  restore: projects.restore.handler(async ({ context, input }) =>
    answer(context, await restoreProject(context, input.id)),
  ),
  clone: projects.clone.handler(async ({ context, input }) =>
    answer(context, await cloneProject(context, input.id, input.name)),
  ),
  transfer: projects.transfer.handler(async ({ context, input }) =>
    answer(context, await offerProject(context, input.id, input)),
  ),
  offers: projects.offers.handler(async ({ context }) => ({ entries: await listOffers(context) })),
  withdrawOffer: projects.withdrawOffer.handler(async ({ context, input }) =>
    answer(context, await withdrawOffer(context, input.id)),
  ),
  acceptOffer: projects.acceptOffer.handler(async ({ context, input }) =>
    answer(context, await acceptOffer(context, input.id)),
  ),
  declineOffer: projects.declineOffer.handler(({ context, input }) => done(declineOffer(context, input.id))),
  acceptCode: projects.acceptCode.handler(async ({ context, input }) =>
    answer(context, await acceptCode(context, input.id)),
  ),
  setTags: projects.setTags.handler(async ({ context, input }) =>
    answer(context, await setTags(context, input.id, input)),
  ),
  setThumbnail: projects.setThumbnail.handler(async ({ context, input }) =>
    answer(context, await setThumbnail(context, input.id, input.upload_id)),
  ),
  removeThumbnail: projects.removeThumbnail.handler(async ({ context, input }) =>
    answer(context, await setThumbnail(context, input.id, null)),
  ),
  addShowcaseMedia: projects.addShowcaseMedia.handler(async ({ context, input }) =>
    answer(context, await addShowcaseMedia(context, input.id, input.upload_id)),
  ),
  removeShowcaseMedia: projects.removeShowcaseMedia.handler(async ({ context, input }) =>
    answer(context, await removeShowcaseMedia(context, input.id, input.media_id)),
  ),
  orderShowcaseMedia: projects.orderShowcaseMedia.handler(async ({ context, input }) =>
    answer(context, await orderShowcaseMedia(context, input.id, input.media_ids)),
  ),
  templates: projects.templates.handler(() => ({ entries: gallery.map(({ files: _, ...template }) => template) })),
  getTemplate: projects.getTemplate.handler(({ input }) => templateDetail(input.name)),
  tags: projects.tags.handler(async ({ context, input }) => ({ entries: await listTags(context, input.search) })),
};
