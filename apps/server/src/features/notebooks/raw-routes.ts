import { baseName, rawContract } from '@atoll/contract';
import { z } from 'zod';
import { invalidField, notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { exportNotebook, exportTypes } from './service/export.ts';

const params = z.object({ id: z.uuid(), fileId: z.uuid() });
const body = z.strictObject({ type: z.enum(exportTypes).default('ipynb') });

export const notebookRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.notebooks.export,
    async handle(ctx, request, reply) {
      const address = params.safeParse(request.params);
      if (!address.success) throw notFound();
      const wanted = body.safeParse(request.body ?? {});
      if (!wanted.success) throw invalidField('type', `Must be one of ${exportTypes.join(', ')}`);
      const { id: projectId, fileId } = address.data;
      const { name, content, mimeType } = await exportNotebook(ctx, { projectId, fileId }, wanted.data.type);
      reply.headers({ 'content-type': mimeType, 'content-disposition': attachment(baseName(name)) });
      return reply.send(content);
    },
  },
];
