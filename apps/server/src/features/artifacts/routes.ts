import { endpoints, ok } from '../../platform/http/implement.ts';
import { deleteArtifact, listArtifacts } from './service.ts';

export const artifactRoutes = {
  list: endpoints.artifacts.list.handler(async ({ context, input }) => ({
    ...(await listArtifacts(context, input)),
    page: input.page,
    page_size: input.page_size,
  })),
  delete: endpoints.artifacts.delete.handler(async ({ context, input }) => {
    await deleteArtifact(context, input.id, input.artifactId);
    return ok;
  }),
};
