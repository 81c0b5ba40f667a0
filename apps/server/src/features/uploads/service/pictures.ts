import { Readable } from 'node:stream';
import { uploadLimits } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { normalisePicture, type PictureBox } from '../picture.ts';
import { type AssetRow, assets } from '../table.ts';
import { type FinishedUpload, finishedUpload, tooLarge } from './slots.ts';

export interface PreparedPicture {
  blob: string;
  mimeType: string;
  size: number;
}

export const prepareAvatar = (ctx: Context, uploadId: string) =>
  preparePicture(ctx, uploadId, 'avatar_upload_id', { width: 256, height: 256, isSquare: true });

/**
 * Draws a finished upload of the caller's own anew. It takes its time and therefore happens before a transaction, which
 * would keep everybody else waiting on the embedded database.
 */
export async function preparePicture(
  ctx: Context,
  uploadId: string,
  field: string,
  box: PictureBox,
): Promise<PreparedPicture> {
  const upload = await finishedUpload(ctx, ctx.db, uploadId, field);
  if (upload.size > uploadLimits.picture) throw tooLarge(uploadLimits.picture);
  return drawAnew(ctx, upload, field, box);
}

/** A picture drawn anew, or a film as it is. */
export async function prepareMedia(ctx: Context, uploadId: string, field: string): Promise<PreparedPicture> {
  const upload = await finishedUpload(ctx, ctx.db, uploadId, field);
  if (upload.size > uploadLimits.media) throw tooLarge(uploadLimits.media);
  if (upload.contentKind === 'mp4') return { blob: upload.blob, mimeType: 'video/mp4', size: upload.size };
  return drawAnew(ctx, upload, field, { width: 1_600, height: 1_200, isSquare: false, format: 'webp' });
}

async function drawAnew(
  ctx: Context,
  upload: FinishedUpload,
  field: string,
  box: PictureBox,
): Promise<PreparedPicture> {
  const original = await ctx.blobs.get(upload.blob);
  if (!original) throw invalidField(field, 'Is not a finished upload of yours');
  return redrawn(ctx, original, box, field);
}

/** The same with a picture that is no upload, such as one that code has drawn. */
export async function redrawPicture(
  ctx: Context,
  content: Buffer,
  field: string,
  box: PictureBox,
): Promise<PreparedPicture> {
  if (content.length > uploadLimits.media) throw tooLarge(uploadLimits.media);
  return redrawn(ctx, Readable.from([content]), box, field);
}

async function redrawn(ctx: Context, original: Readable, box: PictureBox, field: string): Promise<PreparedPicture> {
  const picture = await normalisePicture(original, box, field);
  const { sha256, size } = await ctx.blobs.put(Readable.from([picture.content]), uploadLimits.file);
  return { blob: sha256, mimeType: picture.mimeType, size };
}

/** Makes a prepared picture public, and answers its asset id. */
export async function publishPicture(ctx: Context, tx: Transaction, picture: PreparedPicture): Promise<string> {
  const [asset] = await tx
    .insert(assets)
    .values({ ...picture, createdAt: ctx.now() })
    .returning();
  if (!asset) throw new Error('The picture was not stored');
  return asset.id;
}

/** What was removed or replaced is no longer to be had by its id. */
export async function retirePicture(tx: Transaction, assetId: string | null | undefined): Promise<void> {
  if (assetId) await tx.delete(assets).where(eq(assets.id, assetId));
}

/** The same bytes under an id of their own, so that each goes with its owner. */
export async function copyPicture(ctx: Context, tx: Transaction, assetId: string | null): Promise<string | null> {
  if (!assetId) return null;
  const [asset] = await tx.select().from(assets).where(eq(assets.id, assetId));
  return asset ? publishPicture(ctx, tx, { blob: asset.blob, mimeType: asset.mimeType, size: asset.size ?? 0 }) : null;
}

export async function findAsset(ctx: Context, id: string): Promise<AssetRow> {
  const [asset] = await ctx.db.select().from(assets).where(eq(assets.id, id));
  if (!asset) throw notFound('This picture');
  return asset;
}
