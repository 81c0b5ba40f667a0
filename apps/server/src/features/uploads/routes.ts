import { apiPrefix, rawContract, uploadLimits } from '@atoll/contract';
import { z } from 'zod';
import { AppError, notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { streamBody, unreadBody } from '../../platform/http/bodies.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { createUpload, readAsset, receiveUpload } from './service.ts';

export const uploadRoutes = {
  create: endpoints.uploads.create.handler(async ({ context, input }) => {
    const upload = await createUpload(context, input);
    return {
      upload_id: upload.id,
      method: 'PUT' as const,
      url: `${apiPrefix}/v1/upload/${upload.id}`,
      headers: { 'content-type': 'application/octet-stream' },
      max_size: uploadLimits.file,
    };
  }),
};

function idOf(params: unknown): string {
  const parsed = z.object({ id: z.uuid() }).safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data.id;
}

export const uploadRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.uploads.put,
    async handle(ctx, request, reply) {
      if (request.body !== unreadBody) {
        throw new AppError('unsupported_media_type', 'Send the bytes as application/octet-stream.');
      }
      const upload = await receiveUpload(ctx, idOf(request.params), streamBody(request));
      return reply.send({ upload_id: upload.id, size: upload.size });
    },
  },
  {
    endpoint: rawContract.uploads.asset,
    async handle(ctx, request, reply) {
      const { asset, content } = await readAsset(ctx, idOf(request.params));
      reply.headers({
        'content-type': asset.mimeType,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
      return reply.send(content);
    },
  },
];
