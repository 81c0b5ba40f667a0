import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { kernelSessions } from '../kernels/table.ts';
import { projects } from '../projects/table.ts';

/**
 * What code wrote: for each kernel and file the newest content. With a blob of its own, because automatic savings in quick
 * succession are one version of the file.
 */
export const artifacts = pgTable(
  'artifacts',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: belongsTo('file_id', () => files.id),
    sessionId: belongsTo('session_id', () => kernelSessions.id),
    version: integer('version').notNull(),
    blob: text('blob').notNull(),
    size: integer('size').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('artifacts_session_file').on(table.sessionId, table.fileId),
    index('artifacts_project').on(table.projectId, table.createdAt.desc()),
    index('artifacts_file').on(table.fileId),
    index('artifacts_blob').on(table.blob),
  ],
);
