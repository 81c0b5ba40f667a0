import { rawContract } from '@atoll/contract';
import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment, sendBytes } from '../../platform/http/ranges.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { readBlob } from '../uploads/service/pictures.ts';
import { deliveredFile } from './service/list.ts';

const params = z.object({ id: z.uuid(), deliveryId: z.uuid() });
const types = { pdf: 'application/pdf', png: 'image/png' };

export const deliveryRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.deliveries.file,
    async handle(ctx, request, reply) {
      const address = params.safeParse(request.params);
      if (!address.success) throw notFound();
      const { blob, size, format, slug } = await deliveredFile(ctx, address.data.id, address.data.deliveryId);
      reply.headers({
        'content-type': types[format],
        'content-disposition': attachment(`${slug}.${format}`),
        'cache-control': 'private, no-cache',
        ...sandboxHeaders("sandbox; default-src 'none'"),
      });
      return sendBytes(request, reply, { size, etag: blob, read: (range) => readBlob(ctx, blob, range) });
    },
  },
];
