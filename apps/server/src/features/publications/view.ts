import { type PersonSummary, type Publication, publicationPermissions, type Tag } from '@atoll/contract';
import { assetUrl } from '../uploads/view.ts';
import { mayRun, type ReadablePublication } from './service/access.ts';

export interface PublicationRelations {
  owner: PersonSummary;
  authors: PersonSummary[];
  tags: Tag[];
  hasClapped: boolean;
  /** Where its report goes. */
  providers: string[];
}

/** Where it is read. */
export const publicationPath = ({ contentKind, slug }: { contentKind: string; slug: string }): string =>
  contentKind === 'strategies' ? `/strategies/${slug}` : `/publications/${contentKind}/${slug}`;

type Permission = (typeof publicationPermissions)[number];

export function publicationView(
  { publication, project, abilities }: ReadablePublication,
  { owner, authors, tags, hasClapped, providers }: PublicationRelations,
): Publication {
  const may: Record<Permission, boolean> = {
    edit: abilities.includes('publish'),
    execute: mayRun({ publication, abilities }) && publication.versionId !== null,
    clone: abilities.includes('clone'),
    clap: publication.versionId !== null,
    view_source: abilities.includes('view_source'),
    view_analytics: abilities.includes('view_analytics'),
  };
  return {
    id: publication.id,
    // What a private project is called is not for its readers.
    project: { id: project.id, name: abilities.includes('view') ? project.name : publication.title },
    file_id: publication.fileId,
    content_kind: publication.contentKind,
    type: publication.type,
    category: publication.category,
    access_level: publication.accessLevel,
    slug: publication.slug,
    path: publicationPath(publication),
    title: publication.title,
    description: publication.description,
    cover_image: assetUrl(publication.coverAssetId),
    published_at: publication.publishedAt?.toISOString() ?? null,
    updated_at: publication.updatedAt.toISOString(),
    version_id: publication.versionId,
    version_number: publication.versionNumber,
    view_count: publication.viewCount,
    share_count: publication.shareCount,
    clap_count: publication.clapCount,
    clone_count: publication.cloneCount,
    run_count: publication.runCount,
    tags,
    payload: publication.payload,
    authors,
    owner,
    external_providers: providers,
    execution_enabled: publication.isExecutionEnabled,
    execution_copy_project_files: publication.copiesProjectFiles,
    has_clapped: hasClapped,
    permissions: publicationPermissions.filter((permission) => may[permission]),
  };
}
