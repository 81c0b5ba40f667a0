import { rawContract, renderFormats } from '@atoll/contract';
import { z } from 'zod';
import { invalidField } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { readAddress } from '../../platform/http/read-request.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { requirePublication } from '../publications/service/access.ts';
import { renderReport, reportTypes } from './service/render.ts';

const params = z.object({ id: z.uuid() });
const query = z.strictObject({ format: z.enum(renderFormats).default('pdf') });

export const reportRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.reports.download,
    async handle(ctx, request, reply) {
      const { id } = readAddress(params, request.params);
      const wanted = query.safeParse(request.query);
      if (!wanted.success) throw invalidField('format', `Must be one of ${renderFormats.join(', ')}`);
      const { format } = wanted.data;
      const { publication, abilities } = await requirePublication(ctx, ctx.db, id, 'publication.view');
      const { body, pages, failedParts } = await renderReport(ctx, publication.id, { format, abilities });
      reply.headers({
        'content-type': reportTypes[format],
        'content-disposition': attachment(`${publication.slug}.${format}`),
        'cache-control': 'private, no-cache',
        'x-pages': String(pages),
        'x-failed-parts': encodeURIComponent(JSON.stringify(failedParts.slice(0, 20))),
        ...sandboxHeaders("sandbox; default-src 'none'"),
      });
      return reply.send(body);
    },
  },
];
