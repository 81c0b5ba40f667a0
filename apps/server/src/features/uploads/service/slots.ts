import { Readable } from 'node:stream';
import { uploadLimits } from '@atoll/contract';
import { BlobTooLarge } from '@atoll/storage';
import { and, eq, gt, isNull, lt, sum } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { AppError, invalidField, notFound } from '../../platform/errors.ts';
import { fileVersions } from '../files/table.ts';
import { normalisePicture, type PictureBox } from './picture.ts';
import { type AssetRow, assets, type UploadRow, uploads } from './table.ts';

const day = 24 * 60 * 60_000;

export async function createUpload(
  ctx: Context,
  input: { client_name: string; client_mime_type: string },
): Promise<UploadRow> {
  return ctx.write(async ({ tx }) => {
    const [row] = await tx
      .insert(uploads)
      .values({
        userId: ctx.actor.userId ?? '',
        clientName: input.client_name,
        clientMimeType: input.client_mime_type,
        createdAt: ctx.now(),
      })
      .returning();
    if (!row) throw new Error('The upload was not stored');
    return row;
  });
}

/** Streams the content to the blob store; memory stays flat and a refused upload leaves nothing behind. */
export async function receiveUpload(ctx: Context, id: string, content: Readable): Promise<UploadRow> {
  const upload = await findUpload(ctx.db, id);
  if (!upload) throw notFound('This upload');
  ctx.authorize('upload.write', upload);
  if (upload.completedAt) throw new AppError('conflict', 'This upload is complete already.');
  const room = await roomFor(ctx);
  const blob = await ctx.blobs.put(content, room).catch((error: unknown) => {
    if (error instanceof BlobTooLarge) throw room < uploadLimits.file ? noRoom() : tooLarge(uploadLimits.file);
    throw error;
  });
  return ctx.write(async ({ tx, emit }) => {
    const [row] = await tx
      .update(uploads)
      .set({ blob: blob.sha256, size: blob.size, completedAt: ctx.now() })
      .where(and(eq(uploads.id, id), isNull(uploads.completedAt)))
      .returning();
    if (!row) throw new AppError('conflict', 'This upload is complete already.');
    await emit('upload.completed', { upload_id: id });
    return row;
  });
}

/** What one may upload within a day, whatever becomes of it: uploads are kept that long before the unused ones go. */
const dailyBytes = { guest: 50 * 1024 ** 2, user: 5 * 1024 ** 3 };

async function roomFor(ctx: Context): Promise<number> {
  // A fresh guest has a fresh allowance, so guests share one by address too.
  if (ctx.actor.kind === 'guest') await ctx.limits.take('guest_upload', ctx.credentials.ip);
  const [used] = await ctx.db
    .select({ bytes: sum(uploads.size) })
    .from(uploads)
    .where(and(eq(uploads.userId, ctx.actor.userId ?? ''), gt(uploads.createdAt, new Date(ctx.now().getTime() - day))));
  const allowance = ctx.actor.kind === 'guest' ? dailyBytes.guest : dailyBytes.user;
  const room = Math.min(uploadLimits.file, allowance - Number(used?.bytes ?? 0));
  if (room <= 0) throw noRoom();
  return room;
}

const noRoom = () =>
  new AppError('forbidden', 'You have uploaded as much as you may within a day. Try again tomorrow.', {
    details: { reason: 'usage_limit_reached' },
  });

const tooLarge = (limit: number) =>
  new AppError('content_too_large', `The file is larger than ${limit / (1024 * 1024)} MB.`);

async function findUpload(db: Database | Transaction, id: string): Promise<UploadRow | null> {
  const [row] = await db.select().from(uploads).where(eq(uploads.id, id));
  return row ?? null;
}

/** The stored content of a finished upload of the caller's own. */
export async function finishedUpload(
  ctx: Context,
  db: Database | Transaction,
  uploadId: string,
  field: string,
): Promise<{ blob: string; size: number; clientName: string }> {
  const upload = await findUpload(db, uploadId);
  const isMine = upload !== null && ctx.permitted(['upload.write'], upload).length > 0;
  if (!upload?.blob || !isMine) throw invalidField(field, 'Is not a finished upload of yours');
  return { blob: upload.blob, size: upload.size ?? 0, clientName: upload.clientName };
}

export interface PreparedPicture {
  blob: string;
  mimeType: string;
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
  limit: 'picture' | 'media' = 'picture',
): Promise<PreparedPicture> {
  const upload = await finishedUpload(ctx, ctx.db, uploadId, field);
  if (upload.size > uploadLimits[limit]) throw tooLarge(uploadLimits[limit]);
  const original = await ctx.blobs.get(upload.blob);
  if (!original) throw invalidField(field, 'Is not a finished upload of yours');
  const picture = await normalisePicture(original, box);
  const blob = await ctx.blobs.put(Readable.from([picture.content]), uploadLimits.file);
  return { blob: blob.sha256, mimeType: picture.mimeType };
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

export async function readAsset(ctx: Context, id: string): Promise<{ asset: AssetRow; content: Readable }> {
  const [asset] = await ctx.db.select().from(assets).where(eq(assets.id, id));
  const content = asset ? await ctx.blobs.get(asset.blob) : null;
  if (!asset || !content) throw notFound('This picture');
  return { asset, content };
}

/** Uploads nobody used within a day; their bytes go unless something else has the same. */
export async function sweepUploads(ctx: Context): Promise<void> {
  const yesterday = new Date(ctx.now().getTime() - day);
  const stale = await ctx.db.delete(uploads).where(lt(uploads.createdAt, yesterday)).returning({ blob: uploads.blob });
  for (const { blob } of stale) if (blob) await deleteUnusedBlob(ctx, blob);
}

async function deleteUnusedBlob(ctx: Context, blob: string): Promise<void> {
  const [asset] = await ctx.db.select({ id: assets.id }).from(assets).where(eq(assets.blob, blob)).limit(1);
  const [upload] = await ctx.db.select({ id: uploads.id }).from(uploads).where(eq(uploads.blob, blob)).limit(1);
  const [version] = await ctx.db
    .select({ id: fileVersions.id })
    .from(fileVersions)
    .where(eq(fileVersions.blob, blob))
    .limit(1);
  if (!asset && !upload && !version) await ctx.blobs.delete(blob);
}
