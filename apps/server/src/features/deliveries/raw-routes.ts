import { rawContract } from '@atoll/contract';
import { z } from 'zod';
import { readBlob } from '../../platform/blobs.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment, sendBytes } from '../../platform/http/ranges.ts';
import { readAddress } from '../../platform/http/read-request.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { reportTypes } from '../reports/service/render.ts';
import { deliveredFile } from './service/list.ts';
import { linkContent, unsubscribePage } from './service/unsubscribe-link.ts';

const params = z.object({ id: z.uuid(), deliveryId: z.uuid() });

export const deliveryRawRoutes: RawRoute[] = [
  {
    // For mail programs that open the address instead of calling it. Scanners do that too, so it changes nothing.
    endpoint: rawContract.deliveries.unsubscribePage,
    async handle(ctx, request, reply) {
      const { token } = z.object({ token: z.string() }).parse(request.params);
      linkContent(ctx, token);
      return reply.redirect(unsubscribePage(ctx, token), 303);
    },
  },
  {
    endpoint: rawContract.deliveries.file,
    async handle(ctx, request, reply) {
      const { id, deliveryId } = readAddress(params, request.params);
      const { blob, size, format, slug } = await deliveredFile(ctx, id, deliveryId);
      reply.headers({
        'content-type': reportTypes[format],
        'content-disposition': attachment(`${slug}.${format}`),
        'cache-control': 'private, no-cache',
        ...sandboxHeaders("sandbox; default-src 'none'"),
      });
      return sendBytes(request, reply, { size, etag: blob, read: (range) => readBlob(ctx, blob, range) });
    },
  },
];
