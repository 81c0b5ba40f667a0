import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { id, line } from '../fields.ts';
import { extensionOf } from '../projects/kinds.ts';
import { acceptedExtensions, uploadKinds } from './kinds.ts';

const tag = 'Uploads';

export const uploadEndpoints = {
  create: endpoint('POST', '/v1/upload', {
    permission: 'upload.create',
    limit: 'upload',
    tag,
    summary: 'Create an upload',
    description:
      'The content goes to `url` with `method` and `headers`; what was uploaded is used by its `upload_id`. `kind` is what it is meant for and decides its largest size: a project file, media, or a picture.',
  })
    .input(
      z
        .strictObject({
          client_name: line(255).min(1),
          client_mime_type: line(120).default(''),
          kind: z.enum(uploadKinds).default('file'),
        })
        .superRefine(({ client_name, kind }, context) => {
          const accepted = acceptedExtensions[kind];
          if (!accepted || accepted.includes(extensionOf(client_name))) return;
          context.addIssue({ code: 'custom', path: ['client_name'], message: `Must end in ${accepted.join(', ')}` });
        }),
    )
    .output(
      z.object({
        upload_id: id,
        method: z.literal('PUT'),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        max_size: z.int(),
      }),
    ),

  status: endpoint('GET', '/v1/upload/{id}', {
    permission: 'upload.write',
    tag,
    summary: 'How much of an upload has arrived',
    description: 'What is missing can be sent from there on with `Content-Range`.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ upload_id: id, received: z.int(), is_complete: z.boolean(), max_size: z.int() })),
};

export const uploadRawEndpoints = {
  put: rawEndpoint('PUT', '/v1/upload/{id}', {
    permission: 'upload.write',
    limit: 'upload',
    tag,
    summary:
      'The content of an upload: all of it, or a part with `Content-Range: bytes first-last/total`. A part that does not begin where the last one ended answers 409 with `details.received`; `bytes */total` finishes one that has arrived.',
  }),
  asset: rawEndpoint('GET', '/v1/assets/{id}', {
    permission: 'asset.view',
    tag,
    summary: 'A public picture or video: an avatar, a logo, a showcase',
  }),
};
