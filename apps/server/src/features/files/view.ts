import {
  apiPrefix,
  baseName,
  type Directory,
  executableKind,
  type FileVersion,
  fileTypeOf,
  type PersonSummary,
  type ProjectFile,
} from '@atoll/contract';
import type { DirectoryRow, FileRow, FileVersionRow } from './table.ts';

type People = Map<string, PersonSummary>;

const contentUrl = (projectId: string, fileId: string) =>
  `${apiPrefix}/v1/notebooks/${projectId}/file_raw_contents/${fileId}`;

export function fileView(file: FileRow, people: People): ProjectFile {
  const name = baseName(file.path);
  return {
    id: file.id,
    project_id: file.projectId,
    name,
    path: file.path,
    language: file.language,
    mime_type: file.mimeType,
    type: fileTypeOf(name),
    kind: executableKind(name),
    content_url: contentUrl(file.projectId, file.id),
    size: file.size,
    metadata: file.metadata,
    version: file.version,
    version_id: file.versionId,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
    updated_by: people.get(file.updatedById ?? '') ?? null,
  };
}

export const directoryView = (row: DirectoryRow): Directory => ({
  path: row.path,
  name: baseName(row.path),
  created_at: row.createdAt.toISOString(),
});

export const versionView = (projectId: string, version: FileVersionRow, people: People): FileVersion => ({
  id: version.id,
  file_id: version.fileId,
  version: version.version,
  name: version.name,
  size: version.size,
  author: people.get(version.authorId ?? '') ?? null,
  content_url: `${contentUrl(projectId, version.fileId)}?version_id=${version.id}`,
  created_at: version.createdAt.toISOString(),
  revisioned_at: version.revisionedAt.toISOString(),
  metadata: version.metadata,
});
