import type { EndpointFields, FileEmbed } from '@atoll/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { denied, invalidField, notFound } from '../../../platform/errors.ts';
import { type FileRow, files } from '../../files/table.ts';
import { requireProject } from '../../projects/service/access.ts';
import { type ProjectRow, projects } from '../../projects/table.ts';
import { isTooWide } from '../sites.ts';
import { type EmbedRow, embeds } from '../table.ts';
import { embedView } from '../view.ts';

async function requireFile(ctx: Context, db: Context['db'] | Write['tx'], projectId: string, fileId: string) {
  const { abilities } = await requireProject(ctx, db, projectId, 'project.embed');
  const [file] = await db
    .select()
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt)));
  if (!file) throw notFound('This file');
  return { file, abilities };
}

export async function embedOf(ctx: Context, projectId: string, fileId: string): Promise<FileEmbed | null> {
  const { file } = await requireFile(ctx, ctx.db, projectId, fileId);
  const [row] = await ctx.db.select().from(embeds).where(eq(embeds.fileId, fileId));
  return row ? embedView(row, file) : null;
}

export async function updateEmbed(
  ctx: Context,
  projectId: string,
  fileId: string,
  update: EndpointFields<'embeds', 'update'>,
): Promise<FileEmbed> {
  const tooWide = update.allowed_sites?.find(isTooWide);
  if (tooWide)
    throw invalidField('allowed_sites', `“${tooWide}” allows sites of anyone. Add a domain to it, or allow all sites.`);
  return ctx.write(async (write) => {
    const { file, abilities } = await requireFile(ctx, write.tx, projectId, fileId);
    // Everyone reads through an embed what its author reads.
    if (!abilities.includes('view_source'))
      throw denied('no_permissions', 'You need permission to read the source of this project to embed a file.');
    if (!ctx.publicationKinds.some((kind) => kind.takes(file)))
      throw invalidField('file_id', 'Files of this kind cannot be embedded');
    const now = ctx.now();
    const values = {
      ...(update.execution_enabled === undefined ? {} : { isExecutionEnabled: update.execution_enabled }),
      ...(update.execution_copy_project_files === undefined
        ? {}
        : { copiesProjectFiles: update.execution_copy_project_files }),
      ...(update.allowed_sites === undefined ? {} : { allowedSites: [...new Set(update.allowed_sites)] }),
      updatedAt: now,
    };
    const [row] = await write.tx
      .insert(embeds)
      .values({ projectId, fileId, createdById: ctx.actor.userId, createdAt: now, ...values })
      .onConflictDoUpdate({ target: embeds.fileId, set: values })
      .returning();
    if (!row) throw notFound('This file');
    const change = row.createdAt.getTime() === now.getTime() ? 'created' : 'updated';
    await write.emit('embed.changed', { embed_id: row.id, project_id: projectId, file_id: fileId, change });
    return embedView(row, file);
  });
}

export async function deleteEmbed(ctx: Context, projectId: string, fileId: string): Promise<void> {
  await ctx.write(async (write) => {
    await requireFile(ctx, write.tx, projectId, fileId);
    const [row] = await write.tx.delete(embeds).where(eq(embeds.fileId, fileId)).returning();
    if (!row) return;
    await write.emit('embed.changed', {
      embed_id: row.id,
      project_id: projectId,
      file_id: fileId,
      change: 'deleted',
    });
  });
}

export interface EmbeddedFile {
  embed: EmbedRow;
  file: FileRow;
  project: ProjectRow;
}

/** By its own id, or by the file's; null while it is off. No one is asked who they are. */
export async function findEmbed(
  ctx: Context,
  by: { embedId: string } | { projectId: string; fileId: string },
  db: Context['db'] | Write['tx'] = ctx.db,
): Promise<EmbeddedFile | null> {
  const [row] = await db
    .select({ embed: embeds, file: files, project: projects })
    .from(embeds)
    .innerJoin(files, eq(files.id, embeds.fileId))
    .innerJoin(projects, eq(projects.id, embeds.projectId))
    .where(
      and(
        'embedId' in by
          ? eq(embeds.id, by.embedId)
          : and(eq(embeds.fileId, by.fileId), eq(embeds.projectId, by.projectId)),
        isNull(files.deletedAt),
        isNull(projects.deletedAt),
      ),
    );
  return row ?? null;
}

export async function embedById(ctx: Context, embedId: string): Promise<FileEmbed> {
  const found = await findEmbed(ctx, { embedId });
  if (!found) throw notFound('This embed');
  return embedView(found.embed, found.file);
}
