import { collisionKey } from '@atoll/contract';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { lockProject } from '../../projects/service/access.ts';
import { projects } from '../../projects/table.ts';
import { type FileRow, files } from '../table.ts';
import { insertFile, saveContent, touchProject } from './store.ts';

interface Written {
  saved: { path: string; blob: string; size: number }[];
  deleted: { path: string; blob: string }[];
}

/**
 * What code wrote into its working folder, as new files and versions by the person who ran it. Whether they may was asked
 * when the code was started. Answers what could not be kept, in words.
 */
export async function storeWritten(
  ctx: Context,
  projectId: string,
  authorId: string,
  written: Written,
): Promise<string[]> {
  const author: Context = { ...ctx, actor: { ...ctx.actor, userId: authorId } };
  return ctx.write(async (write) => {
    const [project] = await write.tx
      .select({ deletedAt: projects.deletedAt })
      .from(projects)
      .where(eq(projects.id, projectId));
    if (!project || project.deletedAt) return ['What the code wrote was not kept: the project was deleted.'];
    await lockProject(write.tx, projectId);
    const keys = [...written.saved, ...written.deleted].map(({ path }) => collisionKey(path));
    const found = await write.tx
      .select()
      .from(files)
      .where(and(eq(files.projectId, projectId), inArray(files.pathKey, keys), isNull(files.deletedAt)));
    const byKey = new Map<string, FileRow>(found.map((file) => [file.pathKey, file]));
    const changed = { created: [] as string[], saved: [] as string[], deleted: [] as string[] };
    const notices: string[] = [];
    for (const { path, blob, size } of written.saved) {
      const file = byKey.get(collisionKey(path));
      try {
        if (!file) changed.created.push((await insertFile(author, write, projectId, { path, blob, size })).id);
        else if (file.blob !== blob) {
          await saveContent(author, write, file, { blob, size }, null);
          changed.saved.push(file.id);
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        notices.push(`${path} was not kept: ${error.message}`);
      }
    }
    for (const { path, blob } of written.deleted) {
      const file = byKey.get(collisionKey(path));
      // Whoever saved it meanwhile did not mean it to go.
      if (!file || file.blob !== blob) continue;
      await write.tx.update(files).set({ deletedAt: ctx.now() }).where(eq(files.id, file.id));
      changed.deleted.push(file.id);
    }
    for (const change of ['created', 'saved', 'deleted'] as const) {
      const ids = changed[change];
      if (ids.length > 0) await write.emit('files.changed', { project_id: projectId, file_ids: ids, change });
    }
    if (Object.values(changed).flat().length > 0) await touchProject(author, write, projectId);
    return notices;
  });
}
