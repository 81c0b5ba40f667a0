import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { deleteArtifact, listArtifacts } from './service.ts';

export const artifactRoutes = {
  list: endpoints.artifacts.list.handler(async ({ context, input }) =>
    pageOf(input, await listArtifacts(context, input)),
  ),
  delete: endpoints.artifacts.delete.handler(({ context, input }) =>
    done(deleteArtifact(context, input.id, input.artifactId)),
  ),
};
