import { sql } from 'drizzle-orm';
import { boolean, index, jsonb, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { belongsTo, primaryId, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

/** While there is one for a file, anyone with its address reads the file. */
export const embeds = pgTable(
  'embeds',
  {
    id: primaryId(),
    projectId: belongsTo('project_id', () => projects.id),
    fileId: belongsTo('file_id', () => files.id),
    isExecutionEnabled: boolean('is_execution_enabled').notNull().default(false),
    copiesProjectFiles: boolean('copies_project_files').notNull().default(false),
    allowedSites: jsonb('allowed_sites').$type<string[]>().notNull().default([]),
    createdById: uuid('created_by_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    index('embeds_created_by').on(table.createdById).where(sql`${table.createdById} is not null`),
    uniqueIndex('embeds_file').on(table.fileId),
    index('embeds_project').on(table.projectId),
  ],
);
export type EmbedRow = typeof embeds.$inferSelect;
