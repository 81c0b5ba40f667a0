import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, flag, id, line, list, page, several } from '../fields.ts';
import { visibilities } from './access.ts';
import {
  language,
  license,
  project,
  projectDescription,
  projectDetail,
  projectName,
  projectOffer,
  tag,
  template,
  templateDetail,
} from './entity.ts';
import { maxShowcaseMedia, projectKinds } from './kinds.ts';

const group = 'Projects';
const byId = z.strictObject({ id });
const uploaded = z.strictObject({ id, upload_id: id });

export const projectSorts = [
  'updated_at',
  'created_at',
  'name',
  'clone_count',
  'shares',
  'views',
  'last_view',
] as const;
export const projectModes = ['my', 'shared', 'community', 'all'] as const;
export const projectModeFilters = ['owned', 'authored', 'public', 'private', 'deleted'] as const;

/** The query of the spec. */
export const projectListQuery = z.strictObject({
  page: page(1),
  page_size: page(100, 100),
  sort_by: z.enum(projectSorts).default('updated_at'),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  search: line(200).optional(),
  mode: z.enum(projectModes).default('my'),
  mode_filter: several(z.enum(projectModeFilters)),
  tags: several(line(60)),
  owned_by: id.optional(),
  authored_by: id.optional(),
  section: line(60).optional(),
  type: several(z.enum(projectKinds)),
  with_collaborators: flag.optional(),
  is_ai_project: flag.optional(),
  is_bi_project: flag.optional(),
});
export type ProjectListQuery = z.infer<typeof projectListQuery>;

export const projectEndpoints = {
  list: endpoint('GET', '/v1/notebooks', {
    permission: 'project.list',
    tag: group,
    flag: 'projects',
    summary: 'Projects',
  })
    .input(projectListQuery)
    .output(list(project)),

  create: endpoint('POST', '/v1/notebooks', {
    permission: 'project.create',
    tag: group,
    flag: 'projects',
    summary: 'Create a project',
    description:
      'Empty, with the main file of its kind, from a template, or from an uploaded notebook (.ipynb, .mpsw), table or .zip; a table comes with a notebook that reads it and draws a first chart. Answers 403 with usage_limit_reached when the plan has no room.',
  })
    .input(
      z.strictObject({
        name: projectName,
        description: projectDescription.optional(),
        kind: z.enum(projectKinds).optional(),
        language: language.default('python'),
        visibility: z.enum(visibilities).default('private'),
        hides_source: z.boolean().default(false),
        is_ai_project: z.boolean().optional(),
        is_bi_project: z.boolean().optional(),
        create_main_file: z.boolean().default(false),
        template: line(60).optional(),
        upload_id: id.optional(),
      }),
    )
    .output(projectDetail),

  get: endpoint('GET', '/v1/notebooks/{id}', {
    permission: 'project.view',
    tag: group,
    flag: 'projects',
    summary: 'A project',
  })
    .input(byId)
    .output(projectDetail),

  update: endpoint('PATCH', '/v1/notebooks/{id}', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Update a project',
  })
    .input(
      z.strictObject({
        id,
        name: projectName.optional(),
        description: projectDescription.optional(),
        section: line(60).nullable().optional(),
        language: language.optional(),
        visibility: z.enum(visibilities).optional().describe('Needs the permission to share as well'),
        hides_source: z.boolean().optional().describe('Needs the permission to share as well'),
        is_owner_author: z.boolean().optional().describe('Whether the owner is named as an author; theirs to change'),
        license: license.optional(),
        default_file_id: id.nullable().optional(),
        is_setup_complete: z.boolean().optional(),
        uses_network: z.boolean().optional(),
      }),
    )
    .output(projectDetail),

  delete: endpoint('DELETE', '/v1/notebooks/{id}', {
    permission: 'project.delete',
    tag: group,
    flag: 'projects',
    summary: 'Move a project to the bin',
    description: 'It can be restored for 30 days. One that is in the bin already stays there.',
  })
    .input(byId)
    .output(done),

  deletePermanently: endpoint('DELETE', '/v1/notebooks/{id}/permanently', {
    permission: 'project.delete_permanently',
    tag: group,
    flag: 'projects',
    summary: 'Delete a project permanently',
    description: 'With its files and all their versions. This cannot be undone; one that is not in the bin is refused.',
  })
    .input(byId)
    .output(done),

  restore: endpoint('POST', '/v1/notebooks/{id}/restore', {
    permission: 'project.delete',
    tag: group,
    flag: 'projects',
    summary: 'Restore a project from the bin',
  })
    .input(byId)
    .output(projectDetail),

  clone: endpoint('POST', '/v1/notebooks/{id}/clone', {
    permission: 'project.clone',
    tag: group,
    flag: 'projects',
    summary: 'Clone a project',
    description: 'No bytes are copied: both have the same contents until one of them changes.',
  })
    .input(z.strictObject({ id, name: projectName.optional() }))
    .output(projectDetail),

  transfer: endpoint('PATCH', '/v1/notebooks/{id}/owner', {
    permission: 'project.transfer',
    tag: group,
    flag: 'projects',
    summary: 'Offer a project to another owner',
    description:
      'By `user_id`, or by the user name or e-mail address of the `recipient`. They own it once they accept; until then they can view it. An offer lasts 14 days. Answers 409 while another offer is open or the owner runs a strategy in it.',
  })
    .input(
      z
        .strictObject({ id, user_id: id.optional(), recipient: line(254).min(1).optional() })
        .refine(({ user_id, recipient }) => (user_id === undefined) !== (recipient === undefined), {
          path: ['recipient'],
          message: 'Must be given, or user_id instead',
        }),
    )
    .output(projectDetail),

  offers: endpoint('GET', '/v1/project_offers', {
    permission: 'project.list',
    tag: group,
    flag: 'projects',
    summary: 'Offers of projects, to you and by you',
  })
    .input(empty)
    .output(z.object({ entries: z.array(projectOffer) })),

  withdrawOffer: endpoint('DELETE', '/v1/notebooks/{id}/offer', {
    permission: 'project.transfer',
    tag: group,
    flag: 'projects',
    summary: 'Withdraw the offer of a project',
  })
    .input(byId)
    .output(projectDetail),

  acceptOffer: endpoint('POST', '/v1/notebooks/{id}/offer/accept', {
    permission: 'project.answer_offer',
    keyScope: 'never',
    tag: group,
    flag: 'projects',
    summary: 'Accept a project',
    description:
      'The caller owns it from then on, with its costs. Answers 403 with usage_limit_reached when their plan has no room. What others wrote runs without their secrets and connections until they accept the code.',
  })
    .input(byId)
    .output(projectDetail),

  declineOffer: endpoint('POST', '/v1/notebooks/{id}/offer/decline', {
    permission: 'project.answer_offer',
    tag: group,
    flag: 'projects',
    summary: 'Decline a project',
  })
    .input(byId)
    .output(done),

  acceptCode: endpoint('POST', '/v1/notebooks/{id}/accept_code', {
    permission: 'project.accept_code',
    keyScope: 'never',
    tag: group,
    flag: 'projects',
    summary: 'Say that you have read the code of a project that came from another owner',
    description: 'From then on it can have your secrets and connections. For its owner only.',
  })
    .input(byId)
    .output(projectDetail),

  setTags: endpoint('POST', '/v1/notebooks/{id}/tags', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Set the tags of a project',
  })
    .input(
      z.strictObject({
        id,
        tag_ids: z.array(id).max(20).default([]),
        names: z.array(line(40).min(1)).max(20).default([]).describe('Tags by name; new ones are created'),
      }),
    )
    .output(projectDetail),

  setThumbnail: endpoint('POST', '/v1/notebooks/{id}/thumbnail', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Set the thumbnail',
  })
    .input(uploaded)
    .output(projectDetail),

  removeThumbnail: endpoint('DELETE', '/v1/notebooks/{id}/thumbnail', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Remove the thumbnail',
  })
    .input(byId)
    .output(projectDetail),

  addShowcaseMedia: endpoint('POST', '/v1/notebooks/{id}/showcase_media', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Add a picture or video to the showcase',
    description: 'A picture or an MP4 video of at most 25 MB; at most 8 of them.',
  })
    .input(uploaded)
    .output(projectDetail),

  removeShowcaseMedia: endpoint('DELETE', '/v1/notebooks/{id}/showcase_media', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Remove one from the showcase',
    description: 'All of them without `media_id`.',
  })
    .input(z.strictObject({ id, media_id: id.optional() }))
    .output(projectDetail),

  orderShowcaseMedia: endpoint('PUT', '/v1/notebooks/{id}/showcase_media', {
    permission: 'project.edit',
    tag: group,
    flag: 'projects',
    summary: 'Reorder the showcase',
  })
    .input(z.strictObject({ id, media_ids: z.array(id).max(maxShowcaseMedia) }))
    .output(projectDetail),

  templates: endpoint('GET', '/v1/project_templates', {
    permission: 'project.list',
    tag: group,
    flag: 'projects',
    summary: 'Templates',
  })
    .input(empty)
    .output(z.object({ entries: z.array(template) })),

  getTemplate: endpoint('GET', '/v1/project_templates/{name}', {
    permission: 'project.list',
    tag: group,
    flag: 'projects',
    summary: 'A template, with what a project from it begins with',
  })
    .input(z.strictObject({ name: line(60) }))
    .output(templateDetail),

  tags: endpoint('GET', '/v1/tags', {
    permission: 'project.list',
    tag: group,
    flag: 'projects',
    summary: 'Tags in use',
  })
    .input(z.strictObject({ search: line(60).optional() }))
    .output(z.object({ entries: z.array(tag) })),
};
