import { mimeTypeOf, tableFormatOf } from '@atoll/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import { AppError } from '../../../platform/errors.ts';
import { notebooks } from '../../notebooks/table.ts';
import { askersOf, whoMay } from '../../projects/service/who-may.ts';
import { fileChanges, fileReviews, files, fileVersions } from '../table.ts';

/** What runs without a press needs its person's look: at all code of others, or at everything of those who may not publish too. */
export type RequiredReview = 'code' | 'all';

export interface UnseenChange {
  file: { id: string; name: string };
  userId: string | null;
  changedAt: Date;
  number: number;
  /** The newest version that the person themselves has written, to compare with. */
  ownVersionId: string | null;
}

export interface NewChange {
  userId: string | null;
  /** A person who writes a file has looked at it; code that runs in their name has not. */
  isLook?: boolean;
}

/** Notes who has changed these files. The caller holds the project's lock, so that the numbers are in the order of the commits. */
export async function noteChange(
  ctx: Context,
  { tx }: Write,
  fileIds: string[],
  { userId, isLook = false }: NewChange,
): Promise<void> {
  if (fileIds.length === 0) return;
  const ids = sql`unnest(string_to_array(${fileIds.join(',')}, ',')::uuid[])`;
  const user = sql`${userId}::uuid`;
  const looked = sql`, looked as (insert into ${fileReviews} (user_id, file_id, seen)
    select ${user}, file_id, number from noted
    on conflict (user_id, file_id) do update set seen = excluded.seen)`;
  await tx.execute(sql`with earlier as (
      delete from ${fileChanges} where file_id in (select ${ids}) and user_id is not distinct from ${user}
    ), noted as (
      insert into ${fileChanges} (file_id, user_id, changed_at)
      select ${ids}, ${user}, ${ctx.now().toISOString()}::timestamptz returning file_id, number
    )${isLook && userId ? looked : sql``} select 1`);
}

/**
 * The caller has opened this file. Called before its content is read: a change that comes in between stays one that they have
 * not seen.
 */
export async function lookAtFile(ctx: Context, fileId: string, save: () => Promise<unknown>): Promise<void> {
  const { userId } = ctx.actor;
  if (!userId || ctx.isMasked) return;
  const [unsaved] = await ctx.db
    .select({ by: notebooks.changedById })
    .from(notebooks)
    .where(and(eq(notebooks.fileId, fileId), notebooks.isEdited));
  // An edit gets its number when it is saved.
  if (unsaved && unsaved.by !== userId) await save();
  const newest = sql`select max(number) as number from ${fileChanges}
    where file_id = ${fileId}::uuid and user_id is distinct from ${userId}::uuid
    and number > coalesce((select seen from ${fileReviews} where user_id = ${userId} and file_id = ${fileId}), 0)`;
  const [unseen] = rowsOf<{ number: string | null }>(await ctx.db.execute(newest));
  if (unseen?.number == null) return;
  await ctx.write(({ tx }) => setSeen(tx, userId, sql`values (${fileId}::uuid, ${unseen.number}::bigint)`));
}

/** The person has looked at all changes of the project up to this one. */
export const acceptChanges = (tx: Transaction, userId: string, projectId: string, until: number): Promise<unknown> =>
  setSeen(
    tx,
    userId,
    sql`select file_id, max(number) from ${fileChanges} join ${files} on files.id = file_id
      where project_id = ${projectId} and number <= ${until} group by file_id`,
  );

const setSeen = (tx: Transaction, userId: string, numbers: ReturnType<typeof sql>) =>
  tx.execute(sql`insert into ${fileReviews} (user_id, file_id, seen)
    select ${userId}::uuid, seen.file_id, seen.number from (${numbers}) as seen (file_id, number)
    on conflict (user_id, file_id) do update set seen = greatest(${fileReviews.seen}, excluded.seen)`);

/** Tables, pictures and documents are not code; the name decides, as it does for what imports them. */
export const isPlainData = (path: string): boolean =>
  tableFormatOf(path) !== null || /^image\/|^application\/pdf$|^text\/markdown$/.test(mimeTypeOf(path));

export interface Reader {
  userId: string;
  projectId: string;
  requires: RequiredReview;
}

/** What others have changed in a project since this person has looked at it, of all that matters for what runs in their name. */
export async function unseenChanges(db: Database | Transaction, reader: Reader): Promise<UnseenChange[]> {
  const { userId, projectId, requires } = reader;
  const found = rowsOf<{
    id: string;
    path: string;
    user_id: string | null;
    changed_at: string;
    number: string;
    own_version_id: string | null;
  }>(
    await db.execute(sql`select files.id, files.path, change.user_id, change.changed_at, change.number,
        (select version.id from ${fileVersions} version where version.file_id = files.id
          and version.author_id = ${userId} order by version.version desc limit 1) as own_version_id
      from ${files} join ${fileChanges} change on change.file_id = files.id
      left join ${fileReviews} review on review.file_id = files.id and review.user_id = ${userId}
      where files.project_id = ${projectId} and files.deleted_at is null
      and change.user_id is distinct from ${userId}::uuid and change.number > coalesce(review.seen, 0)
      order by change.number desc`),
  );
  const isData = found.filter(({ path }) => isPlainData(path));
  const publishers = requires === 'all' ? await publishersAmong(db, isData, projectId) : null;
  return found
    .filter(({ path, user_id }) => !isPlainData(path) || (publishers && !publishers.has(user_id)))
    .map(({ id, path, ...change }) => ({
      file: { id, name: path },
      userId: change.user_id,
      changedAt: new Date(change.changed_at),
      number: Number(change.number),
      ownVersionId: change.own_version_id,
    }));
}

async function publishersAmong(
  db: Database | Transaction,
  changes: { user_id: string | null }[],
  projectId: string,
): Promise<Set<string | null>> {
  const askers = await askersOf(db, [...new Set(changes.flatMap(({ user_id }) => user_id ?? []))]);
  const may = await whoMay(db, askers, [projectId], 'publish');
  return new Set(may.map(({ userId }) => userId));
}

export const unseenReason =
  'Others changed what it runs since you last looked at it. Review the changes, then it goes on in your name.';

export class UnseenChanges extends AppError {
  constructor() {
    super('conflict', unseenReason);
  }
}

/** Refuses to run in a person's name what others have changed since they looked at it. */
export async function assertSeen(db: Database | Transaction, reader: Reader): Promise<void> {
  if ((await unseenChanges(db, reader)).length > 0) throw new UnseenChanges();
}
