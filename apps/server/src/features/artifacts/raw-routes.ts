import { baseName, rawContract } from '@atoll/contract';
import { z } from 'zod';
import { readBlob } from '../../platform/blobs.ts';
import type { RawRoute } from '../../platform/feature.ts';
import { attachment, sendBytes } from '../../platform/http/ranges.ts';
import { readAddress } from '../../platform/http/read-request.ts';
import { sandboxHeaders } from '../../platform/http/security-headers.ts';
import { findArtifact } from './service.ts';

const params = z.object({ id: z.uuid(), artifactId: z.uuid() });

export const artifactRawRoutes: RawRoute[] = [
  {
    endpoint: rawContract.artifacts.download,
    async handle(ctx, request, reply) {
      const { id, artifactId } = readAddress(params, request.params);
      const { blob, size, path } = await findArtifact(ctx, id, artifactId);
      reply.headers({
        // Saved, whatever it is: nothing of a user's runs as ours.
        'content-type': 'application/octet-stream',
        'content-disposition': attachment(baseName(path)),
        'cache-control': 'private, no-cache',
        ...sandboxHeaders("sandbox; default-src 'none'"),
      });
      return sendBytes(request, reply, { size, etag: blob, read: (range) => readBlob(ctx, blob, range) });
    },
  },
];
