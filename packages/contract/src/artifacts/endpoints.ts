import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { done, id, list, page, time } from '../fields.ts';

const tag = 'Artifacts';

/** A file as code left it: the newest content that one kernel wrote. */
export const artifact = z.object({
  id,
  run: z.object({ id, number: z.int() }).nullable().describe('Null for what was written from an open notebook'),
  file: z.object({ id, name: z.string(), is_deleted: z.boolean() }),
  version: z.int().describe('Of the file'),
  metadata: z.object({ mime_type: z.string(), language: z.string() }),
  size: z.int(),
  created_at: time,
});
export type Artifact = z.infer<typeof artifact>;

export const artifactEndpoints = {
  list: endpoint('GET', '/v1/notebooks/{id}/artifacts', {
    permission: 'project.view_history',
    tag,
    summary: 'Files that code has written, newest first',
  })
    .input(
      z.strictObject({
        id,
        run_id: id.optional(),
        file_id: id.optional(),
        page: page(1),
        page_size: page(10, 100),
      }),
    )
    .output(list(artifact)),

  delete: endpoint('DELETE', '/v1/notebooks/{id}/artifacts/{artifactId}', {
    permission: 'project.edit',
    tag,
    summary: 'Delete an artifact',
    description: 'The file and its versions stay.',
  })
    .input(z.strictObject({ id, artifactId: id }))
    .output(done),
};

export const artifactRawEndpoints = {
  download: rawEndpoint('GET', '/v1/notebooks/{id}/artifacts/{artifactId}/download', {
    permission: 'project.view_history',
    tag,
    summary: 'The bytes of an artifact',
  }),
};
