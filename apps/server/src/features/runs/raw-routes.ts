import { baseName, rawContract } from '@atoll/contract';
import { z } from 'zod';
import { readBlob } from '../../platform/blobs.ts';
import { notFound } from '../../platform/errors.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment } from '../../platform/http/ranges.ts';
import { readAddress } from '../../platform/http/read-request.ts';
import { requireProject } from '../projects/service/access.ts';
import { requireRun } from './service/read.ts';

const params = z.object({ id: z.uuid(), runId: z.uuid() });

export const runRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.runs.result,
    async handle(ctx, request, reply) {
      const { id, runId } = readAddress(params, request.params);
      await requireProject(ctx, ctx.db, id, 'project.view_history');
      const { resultBlob, filePath, number } = await requireRun(ctx.db, id, runId);
      if (!resultBlob) throw notFound('This result');
      const name = baseName(filePath).replace(/(\.[^.]+)?$/, ` (run ${number})$1`);
      reply.headers({ 'content-type': 'application/octet-stream', 'content-disposition': attachment(name) });
      return reply.send(await readBlob(ctx, resultBlob));
    },
  },
];
