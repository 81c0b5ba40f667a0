import { type Project, type ProjectDetail, projectAbilities } from '@atoll/contract';
import { assetUrl } from '../uploads/view.ts';
import type { LatestVersions } from './service/latest.ts';
import type { ProjectWithRelations } from './service/relations.ts';

export function projectView(found: ProjectWithRelations, options: { withCollaborators?: boolean } = {}): Project {
  const { project: row } = found;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    section: row.section,
    kind: row.kind,
    language: row.language,
    visibility: row.visibility,
    is_public: row.visibility !== 'private',
    hides_source: row.hidesSource,
    access: accessWord(found),
    parent: found.parent,
    thumbnail: assetUrl(row.thumbnailAssetId),
    showcase_media: found.showcase.map(({ id, assetId, mimeType }) => ({
      id,
      url: assetUrl(assetId) ?? '',
      mime_type: mimeType,
    })),
    public_url_slug: found.published?.slug ?? null,
    owner: found.owner,
    creator: found.creator,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    published_at: found.published?.at.toISOString() ?? null,
    owned_at: row.ownedAt.toISOString(),
    deleted_at: row.deletedAt?.toISOString() ?? null,
    tags: found.tags,
    is_setup_complete: row.isSetupComplete,
    uses_network: row.usesNetwork,
    stats: {
      analyze_count: row.analyzeCount,
      clone_count: row.cloneCount,
      comment_count: row.commentCount,
      execute_count: row.executeCount,
      follow_count: found.followers,
      share_count: row.shareCount,
      view_count: row.viewCount,
    },
    license: row.license as Project['license'],
    default_file_id: row.defaultFileId,
    is_ai_project: row.kind === 'ai',
    is_bi_project: row.kind === 'bi',
    is_shared: found.isShared,
    authors: found.authors,
    ...(options.withCollaborators ? { collaborators: found.collaborators } : {}),
    permissions: projectAbilities.filter((ability) => found.abilities.includes(ability)),
  };
}

function accessWord({ project, isLinkShared, isGranted }: ProjectWithRelations): Project['access'] {
  if (project.visibility !== 'private') return 'public';
  if (isLinkShared) return 'link_shared';
  return isGranted ? 'collaborators' : 'private';
}

export const projectDetailView = (
  found: ProjectWithRelations & { latest: LatestVersions } & Pick<
      ProjectDetail,
      'portfolio' | 'offer' | 'user_permissions' | 'team_permissions'
    >,
): ProjectDetail => ({
  ...projectView(found, { withCollaborators: true }),
  user_permission_id: found.grantId,
  is_published: found.published !== null,
  published_clone_id: found.published?.copyId ?? null,
  user_permissions: found.user_permissions,
  team_permissions: found.team_permissions,
  git_sync_config: null,
  portfolio: found.portfolio,
  offer: found.offer,
  is_awaiting_review: found.project.isAwaitingReview,
  latest_version_id: found.latest.versionId,
  latest_ok_version_id: found.latest.okVersionId,
});
