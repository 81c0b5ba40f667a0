import { baseName, embedPath, type FileEmbed } from '@atoll/contract';
import type { EmbedRow } from './table.ts';

export const embedView = (row: EmbedRow, { path }: { path: string }): FileEmbed => ({
  id: row.id,
  project_id: row.projectId,
  file: { id: row.fileId, name: baseName(path) },
  execution_enabled: row.isExecutionEnabled,
  execution_copy_project_files: row.copiesProjectFiles,
  allowed_sites: row.allowedSites,
  path: embedPath('file', row.projectId, row.fileId, row.fileId),
});
