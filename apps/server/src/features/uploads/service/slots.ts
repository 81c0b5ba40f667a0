import type { Readable } from 'node:stream';
import { type EndpointInput, uploadLimits } from '@atoll/contract';
import { BlobTooLarge } from '@atoll/storage';
import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ContentKind, type UploadRow, uploads } from '../table.ts';
import { appendPart, asOnlyWriter, dropPart, measurePart, partPath, partSize, wrongOffset } from './parts.ts';

export const day = 24 * 60 * 60_000;

export async function createUpload(ctx: Context, input: EndpointInput<'uploads', 'create'>): Promise<UploadRow> {
  return ctx.write(async ({ tx }) => {
    const [row] = await tx
      .insert(uploads)
      .values({
        userId: ctx.userId,
        clientName: input.client_name,
        clientMimeType: input.client_mime_type,
        kind: input.kind,
        createdAt: ctx.now(),
      })
      .returning();
    if (!row) throw new Error('The upload was not stored');
    return row;
  });
}

async function findUpload(db: Database | Transaction, id: string): Promise<UploadRow | null> {
  const [row] = await db.select().from(uploads).where(eq(uploads.id, id));
  return row ?? null;
}

async function ownUpload(ctx: Context, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx.db, id);
  if (!upload) throw notFound('This upload');
  ctx.authorize('upload.write', upload);
  return upload;
}

export interface Progress {
  upload: UploadRow;
  received: number;
}

export async function uploadProgress(ctx: Context, id: string): Promise<Progress> {
  const upload = await ownUpload(ctx, id);
  return { upload, received: upload.size ?? (await partSize(partPath(ctx, id))) };
}

export interface UploadBody {
  content: Readable;
  /** As announced; null when the client does not know yet. */
  length: number | null;
  /** Where it belongs; null for all of it at once. */
  part: { start: number; end: number; total: number } | null;
}

/**
 * Takes the whole content or the next part of it; memory stays flat. What arrived before a connection was cut is kept,
 * through a restart too, and what is refused is not.
 */
export async function receiveUpload(ctx: Context, id: string, body: UploadBody): Promise<Progress> {
  const { kind } = await ownUpload(ctx, id);
  const limit = uploadLimits[kind];
  const { part } = body;
  if ((part?.total ?? body.length ?? 0) > limit) throw tooLarge(limit);
  const path = partPath(ctx, id);
  return asOnlyWriter(ctx, path, { content: body.content, offset: part?.start ?? null }, async () => {
    // It may have been finished by whoever was writing until now.
    const upload = await ownUpload(ctx, id);
    if (upload.completedAt) throw alreadyComplete();
    const offset = part?.start ?? 0;
    const arrived = await partSize(path);
    if (part && offset !== arrived) throw wrongOffset(arrived);
    const room = await reserve(ctx, upload, part ? part.total : body.length);
    const size = await appendPart(ctx, path, body.content, {
      offset,
      end: part ? part.end : Math.min(limit, room),
    }).catch(async (error: unknown) => {
      // The whole of it was meant to fit: nothing of it is of use.
      if (error instanceof BlobTooLarge && !part) await dropPart(ctx, path);
      await setReceived(ctx, id, await partSize(path));
      throw error instanceof BlobTooLarge ? refusal(body, limit, room) : error;
    });
    if (part && size < part.end) {
      await setReceived(ctx, id, size);
      throw new AppError('bad_request', 'The part ended before everything had arrived.', {
        details: { received: size },
      });
    }
    if (part && size < part.total) return { upload: { ...upload, received: size }, received: size };
    return { upload: await finish(ctx, id, path, size), received: size };
  });
}

function refusal({ part }: UploadBody, limit: number, room: number): AppError {
  if (part) return new AppError('bad_request', 'More arrived than Content-Range announced.');
  return room < limit ? noRoom() : tooLarge(limit);
}

async function finish(ctx: Context, id: string, path: string, size: number): Promise<UploadRow> {
  const { contentKind, ...blob } = await measurePart(ctx, path, size);
  await ctx.blobs.putFile(path, blob);
  await dropPart(ctx, path);
  return ctx.write(async ({ tx, emit }) => {
    const [row] = await tx
      .update(uploads)
      .set({ blob: blob.sha256, size, received: size, contentKind, completedAt: ctx.now() })
      .where(and(eq(uploads.id, id), isNull(uploads.completedAt)))
      .returning();
    if (!row) throw alreadyComplete();
    await emit('upload.completed', { upload_id: id });
    return row;
  });
}

/** What one may upload within a day, whatever becomes of it: uploads are kept that long before the unused ones go. */
const dailyBytes = { guest: 50 * 1024 ** 2, user: 5 * 1024 ** 3 };

/**
 * Sets room aside before the bytes come, so that many uploads at once do not each find the same room free. The first part
 * does it for all of them.
 */
async function reserve(ctx: Context, upload: UploadRow, upTo: number | null): Promise<number> {
  if (upTo !== null && upTo <= upload.received) return upTo;
  // A fresh guest has a fresh allowance, so guests share one by address too.
  if (ctx.actor.kind === 'guest') await ctx.limits.take('guest_upload', ctx.credentials.ip);
  const allowance = ctx.actor.kind === 'guest' ? dailyBytes.guest : dailyBytes.user;
  return ctx.write(async ({ tx }) => {
    await tx.execute(sql`select 1 from users where id = ${upload.userId} for update`);
    const [used] = await tx
      .select({ bytes: sql<string>`sum(coalesce(${uploads.size}, ${uploads.received}))` })
      .from(uploads)
      .where(
        and(
          eq(uploads.userId, upload.userId),
          ne(uploads.id, upload.id),
          gt(uploads.createdAt, new Date(ctx.now().getTime() - day)),
        ),
      );
    const room = allowance - Number(used?.bytes ?? 0);
    if (room <= 0 || (upTo ?? 0) > room) throw noRoom();
    const received = upTo ?? Math.min(room, uploadLimits[upload.kind]);
    await tx.update(uploads).set({ received }).where(eq(uploads.id, upload.id));
    return room;
  });
}

const setReceived = (ctx: Context, id: string, received: number) =>
  ctx.db.update(uploads).set({ received }).where(eq(uploads.id, id));

const alreadyComplete = () =>
  new AppError('conflict', 'This upload is already complete.', { details: { is_complete: true } });

const noRoom = () =>
  new AppError('forbidden', 'Daily upload limit reached. Try again tomorrow.', {
    details: { reason: 'usage_limit_reached' },
  });

export const tooLarge = (limit: number) =>
  new AppError('content_too_large', `The file is larger than ${limit / (1024 * 1024)} MB.`);

export interface FinishedUpload {
  blob: string;
  size: number;
  clientName: string;
  contentKind: ContentKind | null;
}

/** The stored content of a finished upload of the caller's own. */
export async function finishedUpload(
  ctx: Context,
  db: Database | Transaction,
  uploadId: string,
  field: string,
): Promise<FinishedUpload> {
  const upload = await findUpload(db, uploadId);
  const isMine = upload !== null && ctx.permitted(['upload.write'], upload).length > 0;
  if (!upload?.blob || !isMine) throw invalidField(field, 'Is not a finished upload of yours');
  const { blob, size, clientName, contentKind } = upload;
  return { blob, size: size ?? 0, clientName, contentKind };
}
