import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id, line, list, several } from '../fields.ts';
import {
  accessLevels,
  contentKinds,
  liveOutput,
  publication,
  publicationCategories,
  publicationDescription,
  publicationDetail,
  publicationPayload,
  publicationRun,
  publicationSlug,
  publicationTitle,
  publicationTypes,
  publicationVersion,
  remotePicture,
} from './entity.ts';

const reading = { tag: 'Publications', flag: 'publications' } as const;
const publishing = { tag: 'Publications', flag: 'publish' } as const;

export const publicationSorts = ['published_at', 'title', 'share_count', 'view_count'] as const;

/** What a sentence is searched by. */
export const publicationFilters = z.object({
  query: z.string(),
  tags: z.array(z.string()),
  category: z.enum(publicationCategories).nullable(),
  type: z.enum(publicationTypes).nullable(),
  is_by_model: z.boolean().describe('Without a model the sentence itself is searched for'),
});
export type PublicationFilters = z.infer<typeof publicationFilters>;

export const publicationListQuery = z.strictObject({
  page: z.coerce.number().int().min(0).max(1_000_000).default(0),
  page_size: z.coerce.number().int().min(1).max(100).default(100),
  sort_by: z.enum(publicationSorts).default('published_at'),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  access_level: z.enum(accessLevels).optional().describe('Other than public: among those one may edit'),
  search: line(200).optional(),
  ai_query: line(1_000)
    .min(1)
    .optional()
    .describe('A sentence that a model turns into filters, in place of those that are not given'),
  tags: several(line(60)),
  category: several(z.enum(publicationCategories)),
  type: z.enum(publicationTypes).optional(),
  content_kind: several(z.enum(contentKinds)),
  owner: line(80).optional().describe('A user name or id'),
  team: id.optional().describe('Of projects shared with this team'),
});
export type PublicationListQuery = z.infer<typeof publicationListQuery>;

export const publicationEndpoints = {
  list: endpoint('GET', '/v1/publications', {
    permission: 'publication.list',
    ...reading,
    summary: 'Public publications, or your own',
    description: 'Pages are counted from 0.',
  })
    .input(publicationListQuery)
    .output(
      list(publication).extend({ filters: publicationFilters.nullable().describe('What `ai_query` was turned into') }),
    ),

  counts: endpoint('GET', '/v1/publications/counts', {
    permission: 'publication.list',
    ...reading,
    summary: 'How many public publications there are, by category and type',
  })
    .input(publicationListQuery.pick({ search: true, tags: true, owner: true, team: true }))
    .output(
      z.object({
        total: z.int(),
        categories: z.record(z.enum(publicationCategories), z.int()),
        types: z.record(z.enum(publicationTypes), z.int()),
      }),
    ),

  ofProject: endpoint('GET', '/v1/publications/of_project/{id}', {
    permission: 'project.view',
    ...reading,
    summary: 'Publications of a project that you may read',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ entries: z.array(publication) })),

  ofFile: endpoint('GET', '/v1/publications/files/{id}', {
    permission: 'publication.publish',
    ...publishing,
    summary: 'The publication of a file, to edit it',
    description: 'Null when it was never published; `suggested_slug` is free.',
  })
    .input(z.strictObject({ id }))
    .output(
      z.object({
        publication: publication.nullable(),
        suggested_slug: z.string(),
        content_kind: z.enum(contentKinds),
        types: z.array(z.enum(publicationTypes)).describe('What it can be published as, the usual one first'),
        has_changes: z.boolean().describe('Whether the file was changed since the published version'),
        run: publicationRun.nullable().describe('The newest run that publishing waits for, or that stopped it'),
      }),
    ),

  remotePictures: endpoint('GET', '/v1/publications/files/{id}/pictures', {
    permission: 'publication.publish',
    ...publishing,
    summary: 'Pictures that a file shows from other servers',
    description: 'Readers get them only where the publication keeps them; else a link stands in their place.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ entries: z.array(remotePicture) })),

  publish: endpoint('PATCH', '/v1/publications/files/{id}', {
    permission: 'publication.publish',
    ...publishing,
    summary: 'Publish a file, or change its publication',
    description:
      'Creates the publication the first time. The version shown stays until `publish_version` asks for the newest one.',
  })
    .input(
      z.strictObject({
        id,
        type: z.enum(publicationTypes).optional(),
        category: z.enum(publicationCategories).optional(),
        access_level: z.enum(accessLevels).optional(),
        slug: publicationSlug.optional(),
        title: publicationTitle.optional(),
        description: publicationDescription.optional(),
        cover_upload_id: id.nullable().optional(),
        tags: z.array(line(60).min(1)).max(20).optional().describe('By name; new ones are created'),
        author_ids: z.array(id).max(50).optional(),
        payload: publicationPayload.partial().optional(),
        execution_enabled: z.boolean().optional(),
        execution_copy_project_files: z.boolean().optional(),
        publish_version: z.boolean().optional().describe('Show the newest version of the file from now on'),
        run_first: z
          .boolean()
          .optional()
          .describe('Run it from the start in a clean kernel; what it shows is published only if that succeeds'),
        cover_cell_id: z.string().max(64).optional().describe('Use the picture this cell shows as the cover'),
      }),
    )
    .output(publication),

  bySlug: endpoint('GET', '/v1/publications/by_slug/{slug}', {
    permission: 'publication.view',
    ...reading,
    summary: 'A publication to read',
    description: 'An earlier slug answers the publication with its present one.',
  })
    .input(z.strictObject({ slug: z.string().max(200), version: z.coerce.number().int().min(1).optional() }))
    .output(publicationDetail),

  versions: endpoint('GET', '/v1/publications/{id}/versions', {
    permission: 'publication.view',
    ...reading,
    summary: 'Versions of a publication, newest first',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ entries: z.array(publicationVersion) })),

  liveOutputs: endpoint('GET', '/v1/publications/{id}/live_outputs', {
    permission: 'publication.view',
    ...reading,
    summary: 'What only a script can draw: charts, tables with more rows, HTML with scripts',
    description: 'By cell and place among its outputs, as marked in the article with `data-live`.',
  })
    .input(z.strictObject({ id, version: z.coerce.number().int().min(1).optional() }))
    .output(z.object({ entries: z.array(liveOutput) })),

  restoreVersion: endpoint('POST', '/v1/publications/{id}/versions/{number}/restore', {
    permission: 'publication.publish',
    ...publishing,
    summary: 'Show an earlier version again',
  })
    .input(z.strictObject({ id, number: z.coerce.number().int().min(1) }))
    .output(publication),

  countStat: endpoint('POST', '/v1/publications/{id}/stats', {
    permission: 'publication.view',
    ...reading,
    summary: 'Count a view or a share',
    description: 'A view counts once for each visitor and day.',
  })
    .input(z.strictObject({ id, stat_name: z.enum(['view', 'share']) }))
    .output(done),

  openCopy: endpoint('POST', '/v1/publications/{id}/copy', {
    permission: 'publication.execute',
    tag: 'Publications',
    flag: 'kernels',
    summary: 'A copy to run, of your own and within your own quota',
    description: 'The same one each time, until it was not used for a day or a newer version is published.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ project_id: id, file_id: id })),

  clap: endpoint('POST', '/v1/publications/{id}/clap', {
    permission: 'publication.clap',
    ...reading,
    summary: 'Clap for a publication',
    description: 'Each user claps once; clapping again changes nothing.',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ clap_count: z.int(), has_clapped: z.boolean() })),

  unclap: endpoint('DELETE', '/v1/publications/{id}/clap', {
    permission: 'publication.clap',
    ...reading,
    summary: 'Undo a clap',
  })
    .input(z.strictObject({ id }))
    .output(z.object({ clap_count: z.int(), has_clapped: z.boolean() })),
};
