import { done, endpoints } from '../../platform/http/implement.ts';
import { deleteArtifact, listArtifacts } from './service.ts';

export const artifactRoutes = {
  list: endpoints.artifacts.list.handler(async ({ context, input }) => ({
    ...(await listArtifacts(context, input)),
    page: input.page,
    page_size: input.page_size,
  })),
  delete: endpoints.artifacts.delete.handler(({ context, input }) =>
    done(deleteArtifact(context, input.id, input.artifactId)),
  ),
};
