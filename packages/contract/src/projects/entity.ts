import { z } from 'zod';
import { id, line, text, time } from '../fields.ts';
import { projectAbilities, projectAccesses, projectPermissions, visibilities } from './access.ts';
import { projectKinds } from './kinds.ts';

export const personSummary = z.object({
  id,
  user_name: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  avatar: z.string().nullable(),
});
export type PersonSummary = z.infer<typeof personSummary>;

export const tag = z.object({ id, name: z.string() });
export type Tag = z.infer<typeof tag>;

export const projectStats = z.object({
  analyze_count: z.int().describe('How often people looked into its data'),
  clone_count: z.int(),
  comment_count: z.int(),
  execute_count: z.int(),
  follow_count: z.int().describe('People who follow its owner'),
  share_count: z.int(),
  view_count: z.int(),
});

export const licenses = [
  'none',
  'mit',
  'apache-2.0',
  'bsd-3-clause',
  'gpl-3.0',
  'cc0-1.0',
  'cc-by-4.0',
  'cc-by-sa-4.0',
  'cc-by-nc-4.0',
] as const;
export const license = z.enum(licenses);

export const showcaseMedia = z.object({ id, url: z.string(), mime_type: z.string() });
export type ShowcaseMedia = z.infer<typeof showcaseMedia>;

/** The spec's Project, as lists show it. */
export const project = z.object({
  id,
  name: z.string(),
  description: z.string(),
  section: z.string().nullable(),
  kind: z.enum(projectKinds),
  language: z.string(),
  visibility: z.enum(visibilities),
  is_public: z.boolean(),
  hides_source: z.boolean().describe('Whether a public project is shown without its files'),
  access: z.enum(projectAccesses).describe('Who can open it, beside its owner'),
  parent: z.object({ id, name: z.string() }).nullable(),
  thumbnail: z.string().nullable(),
  showcase_media: z.array(showcaseMedia).describe('Pictures and videos of the showcase, in their order'),
  public_url_slug: z.string().nullable().describe('Of its publication; null until it is published'),
  owner: personSummary,
  creator: personSummary.nullable(),
  created_at: time,
  updated_at: time,
  published_at: time.nullable().describe('When the first of its publications became public'),
  owned_at: time,
  deleted_at: time.nullable(),
  tags: z.array(tag),
  is_setup_complete: z.boolean(),
  uses_network: z
    .boolean()
    .describe('Whether its code may use the network, where the server and the plan of who runs it allow it'),
  stats: projectStats,
  license,
  default_file_id: id.nullable(),
  is_ai_project: z.boolean(),
  is_bi_project: z.boolean(),
  is_shared: z.boolean().describe('Whether it is here by a grant from another owner'),
  authors: z.array(personSummary),
  collaborators: z.array(personSummary).optional(),
  permissions: z.array(z.enum(projectAbilities)),
});
export type Project = z.infer<typeof project>;

/** What a project that is a portfolio holds. */
const portfolioMeta = z.object({
  assets: z.array(z.string()),
  holdings: z.array(z.object({ asset: z.string(), amount: z.string() })),
  trade_asset: z.string().describe('What it is valued in'),
  deposits: z.string(),
  withdrawals: z.string(),
  exchange: z.string().describe('Whose prices it is valued with'),
});
export type PortfolioMeta = z.infer<typeof portfolioMeta>;

/** Of another owner; the project is theirs once they accept. */
export const projectOffer = z.object({
  project: z.object({ id, name: z.string() }),
  from: personSummary,
  to: personSummary,
  created_at: time,
  expires_at: time,
});
export type ProjectOffer = z.infer<typeof projectOffer>;

/** One project by itself says more. */
export const projectDetail = project.extend({
  user_permission_id: id
    .nullable()
    .describe('The grant by which the project is shared with the caller; deleting it leaves the project'),
  is_published: z.boolean().describe('Whether everyone may read a publication of it'),
  published_clone_id: id
    .nullable()
    .describe('Your own copy of the newest publication, in which you run it; null until you have'),
  user_permissions: z
    .array(
      z.object({ id, user: personSummary, permissions: z.array(z.enum(projectPermissions)), is_author: z.boolean() }),
    )
    .describe('For those who may share the project: the first 100 people it is shared with'),
  team_permissions: z
    .array(z.object({ id, team_id: id, permissions: z.array(z.enum(projectPermissions)) }))
    .describe('For those who may share the project: the first 100 teams it is shared with'),
  git_sync_config: z.null(),
  portfolio: portfolioMeta.nullable().describe('Of a project that is a portfolio, for those who may see what it holds'),
  offer: projectOffer.nullable().describe('Of the project to another owner, for those who made or may answer it'),
  is_awaiting_review: z
    .boolean()
    .describe(
      'It came from another owner: code gets no secrets and no connections of the new one until they accept it',
    ),
  latest_version_id: id.nullable().describe('The newest version of its main file'),
  latest_ok_version_id: id.nullable().describe('The newest of them that ran without an error'),
});
export type ProjectDetail = z.infer<typeof projectDetail>;

export const projectName = line(120).min(1);
export const projectDescription = text(4_000);
export const language = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9+#-]*$/, 'Must be the name of a language, such as python');

export const template = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  kind: z.enum(projectKinds),
  language: z.string(),
  tags: z.array(z.string()),
});
export type Template = z.infer<typeof template>;

export const templateDetail = template.extend({
  files: z.array(z.object({ path: z.string(), size: z.int() })),
  cells: z
    .array(z.object({ type: z.enum(['markdown', 'code']), source: z.string() }))
    .describe('The first cells of its notebook, or its code'),
});
export type TemplateDetail = z.infer<typeof templateDetail>;
