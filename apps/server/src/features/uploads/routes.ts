import { apiPrefix, rawContract, uploadLimits } from '@atoll/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readBlob } from '../../platform/blobs.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { streamBody, unreadBody } from '../../platform/http/bodies.ts';
import { endpoints } from '../../platform/http/implement.ts';
import { sendBytes } from '../../platform/http/ranges.ts';
import { findAsset } from './service/pictures.ts';
import { createUpload, receiveUpload, type UploadBody, uploadProgress } from './service/slots.ts';
import { progressView } from './view.ts';

export const uploadRoutes = {
  create: endpoints.uploads.create.handler(async ({ context, input }) => {
    const upload = await createUpload(context, input);
    return {
      upload_id: upload.id,
      method: 'PUT' as const,
      url: `${apiPrefix}/v1/upload/${upload.id}`,
      headers: { 'content-type': 'application/octet-stream' },
      max_size: uploadLimits[upload.kind],
    };
  }),
  status: endpoints.uploads.status.handler(async ({ context, input }) =>
    progressView(await uploadProgress(context, input.id)),
  ),
};

function idOf(params: unknown): string {
  const parsed = z.object({ id: z.uuid() }).safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data.id;
}

// `bytes first-last/total`, or a star for both when nothing more is to come.
function partOf(header: string | undefined, length: number | null): UploadBody['part'] {
  if (header === undefined) return null;
  const [, first, last, whole] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(header) ?? [];
  const total = Number(whole);
  const [start, end] = first === undefined ? [total, total] : [Number(first), Number(last) + 1];
  if (whole === undefined || start > end || end > total)
    throw new AppError('bad_request', 'Content-Range must be bytes first-last/total.');
  if (length !== null && length !== end - start)
    throw new AppError('bad_request', 'Content-Length and Content-Range do not agree.');
  return { start, end, total };
}

function bodyOf(request: FastifyRequest): UploadBody {
  const { 'content-length': announced, 'content-range': range } = request.headers;
  const length = announced === undefined ? null : Number(announced);
  return { length, part: partOf(range, length), content: streamBody(request) };
}

export const uploadRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.uploads.put,
    async handle(ctx, request, reply) {
      if (request.body !== unreadBody) {
        throw new AppError('unsupported_media_type', 'Send the bytes as application/octet-stream.');
      }
      const body = bodyOf(request);
      try {
        const progress = await receiveUpload(ctx, idOf(request.params), body);
        return reply.send({ ...progressView(progress), size: progress.upload.size });
      } finally {
        // What nobody read must not keep the connection waiting.
        body.content.destroy();
      }
    },
  },
  {
    endpoint: rawContract.uploads.asset,
    async handle(ctx, request, reply) {
      const asset = await findAsset(ctx, idOf(request.params));
      reply.headers({
        'content-type': asset.mimeType,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
      });
      if (asset.size === null) return reply.send(await readBlob(ctx, asset.blob));
      const read = (range?: { start: number; end: number }) => readBlob(ctx, asset.blob, range);
      return sendBytes(request, reply, { size: asset.size, etag: asset.blob, read });
    },
  },
];
