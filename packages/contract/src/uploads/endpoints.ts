import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { id, line } from '../fields.ts';

const tag = 'Uploads';
const megabyte = 1024 * 1024;

/** Spec section 5 and decisions, "Numbers". */
export const uploadLimits = { file: 100 * megabyte, media: 25 * megabyte, picture: 5 * megabyte } as const;

export const uploadEndpoints = {
  create: endpoint('POST', '/v1/upload', {
    permission: 'upload.create',
    limit: 'upload',
    tag,
    summary: 'Ask for a place to upload to',
    description: 'The content goes to `url` with `method` and `headers`; what was uploaded is used by its `upload_id`.',
  })
    .input(z.strictObject({ client_name: line(255).min(1), client_mime_type: line(120).default('') }))
    .output(
      z.object({
        upload_id: id,
        method: z.literal('PUT'),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        max_size: z.int(),
      }),
    ),
};

export const uploadRawEndpoints = {
  put: rawEndpoint('PUT', '/v1/upload/{id}', {
    permission: 'upload.write',
    limit: 'upload',
    tag,
    summary: 'The content of an upload',
  }),
  asset: rawEndpoint('GET', '/v1/assets/{id}', {
    permission: 'asset.view',
    tag,
    summary: 'A public picture: an avatar, a logo',
  }),
};
