import { topics } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../../platform/context.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import { message } from '../../../../platform/realtime/stream.ts';
import { lookAtFile } from '../../../files/service/changes.ts';
import { type Content, saveContent, touchProject } from '../../../files/service/store.ts';
import { fileVersions } from '../../../files/table.ts';
import { requireLockedProject, requireProject } from '../../../projects/service/access.ts';
import { type Address, requireNotebookFile } from '../address.ts';
import { emptyQueue } from '../queue/queue.ts';
import { saveNotebook } from '../save.ts';
import { adopt, replaceCells } from './adopt.ts';

/** Saves before the transaction, because writing a large notebook takes seconds and would block other transactions. */
export async function saveAhead(ctx: Context, address: Address): Promise<void> {
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  await requireNotebookFile(ctx.db, address);
  await saveNotebook(ctx, address.fileId);
}

export async function saveVersion(ctx: Context, address: Address, name: string | undefined) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  await requireNotebookFile(ctx.db, address);
  const file = await saveNotebook(ctx, address.fileId, { name, isManual: true });
  if (!file) throw notFound('This notebook');
  await lookAtFile(ctx, address.fileId, async () => {});
  return { version: file.version, version_id: file.versionId };
}

/** Makes an earlier version the newest; the content before becomes a version, too. */
export async function restoreVersion(ctx: Context, address: Address, versionId: string): Promise<void> {
  await requireProject(ctx, ctx.db, address.projectId, 'project.edit');
  await saveNotebook(ctx, address.fileId);
  await ctx.write(async (write) => {
    await requireLockedProject(ctx, write.tx, address.projectId, 'project.edit');
    const [version] = await write.tx
      .select()
      .from(fileVersions)
      .where(and(eq(fileVersions.id, versionId), eq(fileVersions.fileId, address.fileId)));
    if (!version) throw notFound('This version');
    const label = version.name ?? `Version ${version.version}`;
    await restoreContent(ctx, write, address, version, `Restored: ${label}`.slice(0, 200));
    await touchProject(ctx, write, address.projectId);
    await write.emit('files.changed', { project_id: address.projectId, file_ids: [address.fileId], change: 'saved' });
  });
}

/** Makes this content the newest; the content before becomes a version, too. The caller holds the project's lock. */
export async function restoreContent(
  ctx: Context,
  write: Write,
  address: Address,
  { blob, size }: Content,
  name: string,
): Promise<void> {
  const { file, row } = await adopt(ctx, write, address);
  if (row.unsavedSince) throw new AppError('conflict', 'Someone is editing at this moment. Try again.');
  const saved = await saveContent(ctx, write, file, { blob, size }, { name });
  await replaceCells(ctx, write, row, saved);
  await emptyQueue(write, address);
  write.publish(message(topics.notebook, address, 'document_replaced', {}));
}
