import { maxShowcaseMedia } from '@atoll/contract';
import { and, asc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { prepareMedia, preparePicture, publishPicture, retirePicture } from '../../uploads/service/pictures.ts';
import { type ProjectRow, projectShowcase } from '../table.ts';
import { requireLockedProject, requireProject } from './access.ts';
import { change } from './write.ts';

const thumbnailBox = { width: 640, height: 360, isSquare: false };

/** Nothing is drawn for somebody who may not change the project. */
export async function setThumbnail(ctx: Context, id: string, uploadId: string | null): Promise<ProjectRow> {
  await requireProject(ctx, ctx.db, id, 'project.edit');
  const picture = uploadId === null ? null : await preparePicture(ctx, uploadId, 'upload_id', thumbnailBox);
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    await retirePicture(write.tx, project.thumbnailAssetId);
    const thumbnailAssetId = picture && (await publishPicture(ctx, write.tx, picture));
    return change(ctx, write, project, { thumbnailAssetId }, ['thumbnail']);
  });
}

export async function addShowcaseMedia(ctx: Context, id: string, uploadId: string): Promise<ProjectRow> {
  await requireProject(ctx, ctx.db, id, 'project.edit');
  const media = await prepareMedia(ctx, uploadId, 'upload_id');
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    const present = await write.tx.select().from(projectShowcase).where(eq(projectShowcase.projectId, id));
    if (present.length >= maxShowcaseMedia) {
      throw new AppError('unprocessable_entity', `A project can have at most ${maxShowcaseMedia}. Remove one first.`);
    }
    await write.tx.insert(projectShowcase).values({
      projectId: id,
      assetId: await publishPicture(ctx, write.tx, media),
      position: Math.max(-1, ...present.map(({ position }) => position)) + 1,
      createdAt: ctx.now(),
    });
    return change(ctx, write, project, {}, ['showcase_media']);
  });
}

/** One of them, or all. */
export async function removeShowcaseMedia(ctx: Context, id: string, mediaId: string | undefined): Promise<ProjectRow> {
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    const removed = await write.tx
      .delete(projectShowcase)
      .where(and(eq(projectShowcase.projectId, id), mediaId ? eq(projectShowcase.id, mediaId) : undefined))
      .returning();
    if (mediaId && removed.length === 0) throw notFound('This picture');
    for (const { assetId } of removed) await retirePicture(write.tx, assetId);
    return change(ctx, write, project, {}, ['showcase_media']);
  });
}

export async function orderShowcaseMedia(ctx: Context, id: string, mediaIds: string[]): Promise<ProjectRow> {
  return ctx.write(async (write) => {
    const { project } = await requireLockedProject(ctx, write.tx, id, 'project.edit');
    const present = await write.tx
      .select({ id: projectShowcase.id })
      .from(projectShowcase)
      .where(eq(projectShowcase.projectId, id))
      .orderBy(asc(projectShowcase.position));
    const wanted = new Set(mediaIds);
    if (wanted.size !== present.length || present.some((media) => !wanted.has(media.id)))
      throw invalidField('media_ids', 'Must name each of them once');
    for (const [position, mediaId] of mediaIds.entries())
      await write.tx.update(projectShowcase).set({ position }).where(eq(projectShowcase.id, mediaId));
    return change(ctx, write, project, {}, ['showcase_media']);
  });
}
