import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { belongsTo, time } from '../../platform/db/columns.ts';
import { files } from '../files/table.ts';
import { projects } from '../projects/table.ts';
import { users } from '../users/table.ts';

/** Who edits a file. A lock ends with its channel; should the server die, with its time. */
export const fileLocks = pgTable(
  'file_locks',
  {
    fileId: belongsTo('file_id', () => files.id).primaryKey(),
    projectId: belongsTo('project_id', () => projects.id),
    userId: belongsTo('user_id', () => users.id),
    channelId: text('channel_id').notNull(),
    tag: text('tag').notNull(),
    acquiredAt: time('acquired_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('file_locks_project').on(table.projectId),
    index('file_locks_user').on(table.userId),
    index('file_locks_expires').on(table.expiresAt),
  ],
);

export type FileLockRow = typeof fileLocks.$inferSelect;
