import { z } from 'zod';
import { id, line, text, time } from '../fields.ts';
import { output } from '../kernels/entity.ts';
import { personSummary, tag } from '../projects/entity.ts';
import { slugLength, slugPattern } from './slug.ts';

export const publicationTypes = ['article', 'report', 'dashboard', 'agent', 'chat', 'app'] as const;
export type PublicationType = (typeof publicationTypes)[number];

/** What draws it; also the part of its address (spec section 3, "content kinds"). */
export const contentKinds = [
  'isles',
  'canvases',
  'notebooks',
  'pasas',
  'strategies',
  'chats',
  'agents',
  'pipelineAgents',
] as const;
export type ContentKind = (typeof contentKinds)[number];

export const publicationCategories = [
  'research',
  'finance',
  'data_science',
  'machine_learning',
  'engineering',
  'education',
  'news',
  'other',
] as const;
export type PublicationCategory = (typeof publicationCategories)[number];

/** From the narrowest to the widest. Link-shared: readable by its address, in no list. */
export const accessLevels = ['draft', 'collaborator_shared', 'link_shared', 'public'] as const;
export type AccessLevel = (typeof accessLevels)[number];

export const publicationPermissions = ['edit', 'execute', 'clone', 'clap', 'view_source', 'view_analytics'] as const;

/** What of the notebook is shown. */
export const publicationPayload = z.object({
  shows_code: z.boolean().describe('Whether the code of cells is shown'),
  hidden_cell_ids: z.array(z.string().max(64)).max(10_000).describe('Cells that are left out'),
  keeps_pictures: z
    .boolean()
    .optional()
    .describe('Whether pictures of other servers are fetched and kept with the version; else they are links'),
});
export type PublicationPayload = z.infer<typeof publicationPayload>;
export const defaultPayload: PublicationPayload = { shows_code: true, hidden_cell_ids: [] };

export const publicationSlug = z
  .string()
  .min(3)
  .max(slugLength)
  .regex(slugPattern, 'May contain small letters, digits and single hyphens');

export const publicationTitle = line(200).min(1);
export const publicationDescription = text(2_000);

/** A picture that a file shows from another server. */
export const remotePicture = z.object({
  address: z.string(),
  is_kept: z.boolean().describe('Whether the version that is shown has it'),
  problem: z.string().nullable().describe('Why it could not be fetched when that version was published'),
});
export type RemotePicture = z.infer<typeof remotePicture>;

/** The spec's Publication, as lists show it. */
export const publication = z.object({
  id,
  project: z.object({ id, name: z.string() }),
  file_id: id.nullable().describe('Null when the file is deleted: the publication stays as it is'),
  content_kind: z.enum(contentKinds),
  type: z.enum(publicationTypes),
  category: z.enum(publicationCategories),
  access_level: z.enum(accessLevels),
  slug: z.string(),
  path: z.string().describe('Where it is read, below the address of the product'),
  title: z.string(),
  description: z.string(),
  cover_image: z.string().nullable(),
  published_at: time.nullable().describe('First; null for what was never published'),
  updated_at: time,
  version_id: id.nullable(),
  version_number: z.int().describe('0 until a version is published'),
  view_count: z.int(),
  share_count: z.int(),
  clap_count: z.int(),
  clone_count: z.int(),
  run_count: z.int(),
  tags: z.array(tag),
  payload: publicationPayload,
  authors: z.array(personSummary),
  owner: personSummary,
  external_providers: z.array(z.string()).describe('Where its report goes, for those who may publish it'),
  execution_enabled: z.boolean().describe('Whether readers may run it, in a copy of their own'),
  execution_copy_project_files: z.boolean().describe("Whether a reader's copy has the files of the project"),
  has_clapped: z.boolean(),
  permissions: z.array(z.enum(publicationPermissions)),
});
export type Publication = z.infer<typeof publication>;

export const tocEntry = z.object({ level: z.int(), text: z.string(), anchor: z.string() });
export type TocEntry = z.infer<typeof tocEntry>;

export const publicationVersion = z.object({
  id,
  number: z.int(),
  created_at: time,
  author: personSummary.nullable(),
  is_current: z.boolean(),
});
export type PublicationVersion = z.infer<typeof publicationVersion>;

/** One publication by itself says more. */
export const publicationDetail = publication.extend({
  toc: z.array(tocEntry),
  html: z.string().describe('The readable article: sanitised, without scripts'),
  shown_version: publicationVersion,
  related: z.array(publication),
});
export type PublicationDetail = z.infer<typeof publicationDetail>;

/** A run that publishing waits for. */
export const publicationRun = z.object({
  run_id: id,
  state: z.enum(['running', 'published', 'failed']),
  reason: z.string().nullable().describe('Why it was not published'),
  started_at: time,
});
export type PublicationRun = z.infer<typeof publicationRun>;

export const liveOutput = z.object({ cell_id: z.string(), index: z.int(), output });
export type LiveOutput = z.infer<typeof liveOutput>;
