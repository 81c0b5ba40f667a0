import { collisionKey, parentOf, type RevertedFile } from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import { rowsOf } from '../../../platform/db/rows.ts';
import type { DocumentAddress } from '../../../platform/document-tools.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../files/service/changes.ts';
import { saveOpenDocuments } from '../../files/service/open-documents.ts';
import { assertFree, ensureDirectories, lockFile, saveContent, touchProject } from '../../files/service/store.ts';
import { files } from '../../files/table.ts';
import { lockProject, requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { aiSnapshotFiles, type ConversationRow } from '../table.ts';

/** The newest row of each file, up to a snapshot. */
const stateAt = (conversationId: string, snapshot: number) => sql`(
  select distinct on (file_id) file_id, path, content_blob, size, version from ${aiSnapshotFiles}
  where conversation_id = ${conversationId}::uuid and snapshot <= ${snapshot}::int
  order by file_id, snapshot desc)`;

/** Keeps how the files of the project are; one statement, which stores only what is new. */
export async function takeSnapshot(ctx: Context, { id, projectId }: ConversationRow, snapshot: number): Promise<void> {
  await saveOpenDocuments(ctx, projectId);
  await ctx.db.execute(sql`
    insert into ${aiSnapshotFiles} (conversation_id, snapshot, file_id, path, content_blob, size, version)
    select ${id}::uuid, ${snapshot}::int, coalesce(now.id, old.file_id), coalesce(now.path, old.path), now.blob,
      coalesce(now.size, 0), coalesce(now.version, old.version)
    from (select * from ${files} where project_id = ${projectId}::uuid and deleted_at is null) now
    full join ${stateAt(id, snapshot - 1)} old on old.file_id = now.id
    where (now.id is null and old.content_blob is not null)
      or (now.id is not null and (old.file_id is null or old.content_blob is distinct from now.blob or old.path <> now.path))
    on conflict do nothing`);
}

interface Difference {
  file_id: string;
  then_path: string | null;
  then_blob: string | null;
  then_size: number | null;
  /** As the assistant left it, or as it was known last. */
  known_blob: string | null;
  known_path: string | null;
  now_path: string | null;
  now_blob: string | null;
  now_deleted: boolean | null;
  updated_by_id: string | null;
}

/** Files that are not as they were at the snapshot. */
async function differences(db: Context['db'], { id, projectId, lastSnapshot }: ConversationRow, snapshot: number) {
  const result = await db.execute(sql`
    select coalesce(then_.file_id, now.id) as file_id, then_.path as then_path, then_.content_blob as then_blob,
      then_.size as then_size, known.content_blob as known_blob, known.path as known_path, now.path as now_path,
      now.blob as now_blob, now.deleted_at is not null as now_deleted, now.updated_by_id
    from ${stateAt(id, snapshot)} then_
    full join (select * from ${files} where project_id = ${projectId}::uuid) now on now.id = then_.file_id
    left join ${stateAt(id, lastSnapshot)} known on known.file_id = coalesce(then_.file_id, now.id)
    where case when then_.content_blob is null then now.id is not null and now.deleted_at is null
      else now.id is null or now.deleted_at is not null or now.blob <> then_.content_blob or now.path <> then_.path end`);
  return rowsOf<Difference>(result);
}

const isLater = ({ known_blob, known_path, now_blob, now_path, now_deleted }: Difference): boolean =>
  now_deleted ? known_blob !== null : known_blob !== now_blob || known_path !== now_path;

function changeOf({ then_blob, then_path, now_blob, now_path, now_deleted }: Difference): RevertedFile['change'] {
  if (then_blob === null) return 'deleted';
  if (now_path === null || now_deleted) return 'created';
  return now_blob === then_blob && now_path !== then_path ? 'moved' : 'restored';
}

export async function snapshotChanges(
  ctx: Context,
  conversation: ConversationRow,
  snapshot: number,
): Promise<RevertedFile[]> {
  await saveOpenDocuments(ctx, conversation.projectId);
  const found = await differences(ctx.db, conversation, snapshot);
  const people = await loadPeopleOf(ctx.db, found, ({ updated_by_id }) => updated_by_id);
  return found.map((each) => ({
    file_id: each.file_id,
    path: each.then_path ?? each.now_path ?? '',
    change: changeOf(each),
    changed_by: people.get(each.updated_by_id ?? '') ?? null,
    is_later: isLater(each),
  }));
}

/** Brings the files back, but for those that people changed since and did not name. Answers their paths. */
export async function restoreSnapshot(
  ctx: Context,
  write: Write,
  conversation: ConversationRow,
  snapshot: number,
  laterIds: string[],
): Promise<string[]> {
  const { projectId } = conversation;
  await requireProject(ctx, write.tx, projectId, 'project.edit');
  await lockProject(write.tx, projectId);
  const found = (await differences(write.tx, conversation, snapshot)).filter(
    (each) => !isLater(each) || laterIds.includes(each.file_id),
  );
  for (const each of found) await restoreFile(ctx, write, projectId, each);
  if (found.length === 0) return [];
  await touchProject(ctx, write, projectId);
  const ids = found.map(({ file_id }) => file_id);
  await write.emit('files.changed', { project_id: projectId, file_ids: ids, change: 'restored' });
  return found.map(({ then_path, now_path }) => then_path ?? now_path ?? '');
}

async function restoreFile(ctx: Context, write: Write, projectId: string, each: Difference): Promise<void> {
  const isFile = eq(files.id, each.file_id);
  if (each.then_blob === null || each.then_path === null) {
    await write.tx.update(files).set({ deletedAt: ctx.now() }).where(isFile);
    return;
  }
  const file = await lockFile(write, each.file_id);
  if (!file) throw new AppError('conflict', `${each.then_path} was deleted permanently and cannot be restored.`);
  const path = each.then_path;
  const isMoved = file.deletedAt !== null || file.path !== path;
  if (isMoved) {
    await assertFree(write, projectId, path);
    await ensureDirectories(ctx, write, projectId, parentOf(path));
    await write.tx
      .update(files)
      .set({ deletedAt: null, path, pathKey: collisionKey(path) })
      .where(isFile);
    await noteChange(ctx, write, [file.id], ctx.actor);
  }
  if (file.blob === each.then_blob) return;
  const content = { blob: each.then_blob, size: each.then_size ?? 0 };
  const kind = ctx.documentTools.find((one) => one.takes({ path }));
  const address: DocumentAddress = { projectId, fileId: file.id };
  if (kind) await kind.restore(ctx, write, address, content);
  else await saveContent(ctx, write, file, content, { name: 'Restored by the assistant' });
}
