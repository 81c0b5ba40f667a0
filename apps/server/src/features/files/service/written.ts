import { collisionKey } from '@atoll/contract';
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { artifacts } from '../../artifacts/table.ts';
import { accessOf, allGranted, callerGrants, lockProject } from '../../projects/service/access.ts';
import { othersMayChange } from '../../projects/service/others.ts';
import { projects } from '../../projects/table.ts';
import { runs } from '../../runs/table.ts';
import { findUser, personOf } from '../../users/service.ts';
import { type FileRow, files } from '../table.ts';
import { isPlainData } from './changes.ts';
import { insertFile, lockFile, saveContent, touchProject } from './store.ts';

interface Written {
  saved: { path: string; blob: string; size: number }[];
  deleted: { path: string; blob: string }[];
}

/** So many in one transaction: others wait for the project meanwhile. */
const mostAtOnce = 500;

/**
 * What code wrote into its working folder, as new files and versions by the person who ran it, if they still may. Answers
 * what could not be kept, in words.
 */
export async function storeWritten(
  ctx: Context,
  projectId: string,
  authorId: string,
  { saved, deleted }: Written,
  sessionId: string,
): Promise<string[]> {
  const keys = new Set(saved.map(({ path }) => collisionKey(path)));
  // To write a name in capitals deletes nothing.
  const gone = deleted.filter(({ path }) => !keys.has(collisionKey(path)));
  const notices: string[] = [];
  const user = await findUser(ctx.db, authorId);
  if (!user) return ['What the code wrote was not kept: the account that ran it was deleted.'];
  const author = ctx.as(personOf(user));
  for (let from = 0; from < saved.length + gone.length; from += mostAtOnce) {
    const until = from + mostAtOnce;
    const stored = await storeBatch(author, projectId, {
      saved: saved.slice(from, until),
      deleted: gone.slice(Math.max(0, from - saved.length), Math.max(0, until - saved.length)),
      sessionId,
    });
    if ('refusal' in stored) return [...notices, `What the code wrote was not kept: ${stored.refusal}`];
    notices.push(...stored.notices);
  }
  return notices;
}

/** Why nothing of this author can be stored, or null. */
async function refusalOf({ actor }: Context, tx: Transaction, projectId: string): Promise<string | null> {
  const [found] = await tx
    .select({ project: projects, grants: callerGrants(actor) })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (!found || found.project.deletedAt) return 'the project was deleted.';
  const { abilities } = accessOf(actor, found.project, allGranted(found.grants));
  return abilities.includes('edit') ? null : 'you no longer have permission to edit this project.';
}

async function storeBatch(
  author: Context,
  projectId: string,
  written: Written & { sessionId: string },
): Promise<{ notices: string[] } | { refusal: string }> {
  return author.write(async (write) => {
    await lockProject(write.tx, projectId);
    const refusal = await refusalOf(author, write.tx, projectId);
    if (refusal) return { refusal };
    const keys = [...written.saved, ...written.deleted].map(({ path }) => collisionKey(path));
    const found = await write.tx
      .select({ id: files.id, pathKey: files.pathKey })
      .from(files)
      .where(and(eq(files.projectId, projectId), inArray(files.pathKey, keys), isNull(files.deletedAt)));
    const byKey = new Map(found.map(({ id, pathKey }) => [pathKey, id]));
    const fileAt = async (path: string) => {
      const id = byKey.get(collisionKey(path));
      return id ? lockFile(write, id) : null;
    };
    const fromCode = await versionsFromCode(write.tx, [...byKey.values()]);
    const isOwnCode = await ranOwnCode(write.tx, projectId, written.sessionId);
    const changedBy = (path: string) => ({ userId: isOwnCode || isPlainData(path) ? author.userId : null });
    const changed = { created: [] as string[], saved: [] as string[], deleted: [] as string[] };
    const notices: string[] = [];
    for (const { path, blob, size } of written.saved) {
      const file = await fileAt(path);
      try {
        if (file?.blob === blob) continue;
        const row = file
          ? await saveContent(
              author,
              write,
              file,
              { blob, size },
              { isContinued: fromCode.has(file.versionId), changedBy: changedBy(path) },
            )
          : await insertFile(author, write, projectId, { path, blob, size }, { changedBy: changedBy(path) });
        changed[file ? 'saved' : 'created'].push(row.id);
        await keepArtifact(author, write.tx, row, written.sessionId);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        notices.push(`${path} was not kept: ${error.message}`);
      }
    }
    for (const { path, blob } of written.deleted) {
      const file = await fileAt(path);
      // Whoever saved it meanwhile did not mean it to go.
      if (!file || file.blob !== blob) continue;
      await write.tx.update(files).set({ deletedAt: author.now() }).where(eq(files.id, file.id));
      changed.deleted.push(file.id);
    }
    for (const change of ['created', 'saved', 'deleted'] as const) {
      const ids = changed[change];
      if (ids.length > 0)
        await write.emit('files.changed', { project_id: projectId, file_ids: ids, change, origin: 'kernel' });
    }
    if (Object.values(changed).flat().length > 0) await touchProject(author, write, projectId);
    return { notices };
  });
}

/** In other kernels of a shared project, another person's code may have written what is stored in this one's name. */
async function ranOwnCode(tx: Transaction, projectId: string, sessionId: string): Promise<boolean> {
  if (!(await othersMayChange(tx, projectId))) return true;
  const isReviewed = and(eq(runs.sessionId, sessionId), isNotNull(runs.requiredReview));
  return (await tx.$count(runs, isReviewed)) > 0;
}

/** The newest versions of these files that code wrote: what it writes next continues them, and no text that a person typed. */
async function versionsFromCode(tx: Transaction, fileIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ versionId: files.versionId })
    .from(files)
    .innerJoin(artifacts, and(eq(artifacts.fileId, files.id), eq(artifacts.version, files.version)))
    .where(inArray(files.id, fileIds));
  return new Set(rows.map(({ versionId }) => versionId));
}

/** What a kernel leaves is the newest that it wrote to each file. */
async function keepArtifact(
  author: Context,
  tx: Transaction,
  { id, projectId, version, blob, size }: FileRow,
  sessionId: string,
): Promise<void> {
  const content = { version, blob, size, createdAt: author.now() };
  await tx
    .insert(artifacts)
    .values({ projectId, fileId: id, sessionId, ...content })
    .onConflictDoUpdate({ target: [artifacts.sessionId, artifacts.fileId], set: content });
}
