import { extensionOf, topicName, topics } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type FileRow, files } from '../../files/table.ts';

export interface Address {
  projectId: string;
  fileId: string;
}

export const topicOf = (address: Address): string => topicName(topics.notebook, address);

/** The file of a notebook; the caller has looked at the project's rights. */
export async function requireNotebookFile(db: Context['db'], { projectId, fileId }: Address): Promise<FileRow> {
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt)));
  if (!file) throw notFound('This notebook');
  if (extensionOf(file.path) !== 'ipynb') throw invalidField('file_id', 'This file is no notebook');
  return file;
}
