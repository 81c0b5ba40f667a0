import { isNotebookPath, topicName, topics } from '@atoll/contract';
import { sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { preparedRows } from '../../../platform/db/prepared-statement.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type LockedFile, lockFile } from '../../files/service/store.ts';
import { type FileRow, files } from '../../files/table.ts';

export interface Address {
  projectId: string;
  fileId: string;
}

export const topicOf = (address: Address): string => topicName(topics.notebook, address);

const findFile = preparedRows(files, {
  where: sql`id = ${sql.placeholder('fileId')} and project_id = ${sql.placeholder('projectId')} and deleted_at is null`,
});

/** Loads the file of a notebook; the caller has checked the project's rights. */
export async function requireNotebookFile(db: Context['db'], { projectId, fileId }: Address): Promise<FileRow> {
  const [file] = await findFile(db, { fileId, projectId });
  if (!file) throw notFound('This notebook');
  assertNotebook(file);
  return file;
}

/** Locks and loads the newest file until the end of the transaction. */
export async function lockNotebookFile(write: Write, { projectId, fileId }: Address): Promise<LockedFile> {
  const file = await lockFile(write, fileId);
  if (file?.projectId !== projectId || file.deletedAt) throw notFound('This notebook');
  return file;
}

export function assertNotebook({ path }: FileRow): void {
  if (!isNotebookPath(path)) throw invalidField('file_id', 'This file is not a notebook');
}
