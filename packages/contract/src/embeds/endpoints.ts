import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id } from '../fields.ts';
import { allowedSite, fileEmbed } from './entity.ts';

const tag = 'Embeds';
const ofFile = z.strictObject({ id, fileId: id });

export const embedEndpoints = {
  get: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/embed', {
    permission: 'project.embed',
    tag,
    summary: 'The embed of a file; null while it is off',
  })
    .input(ofFile)
    .output(z.object({ embed: fileEmbed.nullable() })),

  update: endpoint('PATCH', '/v1/notebooks/{id}/files/{fileId}/embed', {
    permission: 'project.embed',
    tag,
    flag: 'publish',
    summary: 'Turn the embed of a file on, or change it',
    description: 'While it is on, anyone with its address reads the saved file. It needs the right to read the source.',
  })
    .input(
      ofFile.extend({
        execution_enabled: z.boolean().optional().describe('Whether readers may run it, in a copy of their own'),
        execution_copy_project_files: z.boolean().optional().describe('Whether that copy has the files of the project'),
        allowed_sites: z.array(allowedSite).max(50).optional().describe('None at first: only this site'),
      }),
    )
    .output(fileEmbed),

  delete: endpoint('DELETE', '/v1/notebooks/{id}/files/{fileId}/embed', {
    permission: 'project.embed',
    tag,
    summary: 'Turn the embed of a file off',
    description: 'Its addresses answer that it is off. Turning it on again gives it a new id.',
  })
    .input(ofFile)
    .output(done),

  byId: endpoint('GET', '/v1/file_embed/{id}', {
    permission: 'embed.view',
    tag,
    summary: 'An embed, for anyone who knows its id',
  })
    .input(z.strictObject({ id }))
    .output(fileEmbed),

  openCopy: endpoint('POST', '/v1/file_embed/{id}/copy', {
    permission: 'embed.execute',
    tag,
    flag: 'kernels',
    summary: 'A copy of an embedded file to run, of your own and within your own quota',
    description: 'The same one each time, until it was unused for a day or the file is saved again.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ project_id: id, file_id: id })),

  oembed: endpoint('GET', '/v1/oembed', {
    permission: 'embed.view',
    tag,
    summary: 'How a publication or an embed is shown in another page (oEmbed 1.0)',
    description: 'Only `json`; other formats are answered with 501.',
  })
    .input(
      z.strictObject({
        url: z.url({ protocol: /^https?$/ }).max(2_000),
        maxwidth: z.coerce.number().int().min(1).max(10_000).optional(),
        maxheight: z.coerce.number().int().min(1).max(10_000).optional(),
        format: z.string().max(20).default('json'),
      }),
    )
    .output(
      z.object({
        version: z.literal('1.0'),
        type: z.literal('rich'),
        title: z.string(),
        author_name: z.string().optional(),
        provider_name: z.string(),
        provider_url: z.string(),
        thumbnail_url: z.string().optional(),
        thumbnail_width: z.int().optional(),
        thumbnail_height: z.int().optional(),
        html: z.string(),
        width: z.int(),
        height: z.int(),
        cache_age: z.int(),
      }),
    ),
};
