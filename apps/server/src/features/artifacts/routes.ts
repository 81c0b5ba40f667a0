import { endpoints } from '../../platform/http/implement.ts';
import { listArtifacts } from './service.ts';

export const artifactRoutes = {
  list: endpoints.artifacts.list.handler(async ({ context, input }) => ({
    ...(await listArtifacts(context, input)),
    page: input.page,
    page_size: input.page_size,
  })),
};
