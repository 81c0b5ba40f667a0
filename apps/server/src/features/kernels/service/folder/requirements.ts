import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { readBlob } from '../../../../platform/blobs.ts';
import type { Context } from '../../../../platform/context.ts';
import { files } from '../../../files/table.ts';
import { projects } from '../../../projects/table.ts';

const mostBytes = 64 * 1024;

/** The packages of a project: the lines of its requirements.txt. */
export async function requirementsOf(ctx: Context, projectId: string): Promise<string[]> {
  const [file] = await ctx.db
    .select({ blob: files.blob, size: files.size })
    .from(files)
    .where(and(eq(files.projectId, projectId), eq(files.path, 'requirements.txt'), isNull(files.deletedAt)));
  if (!file || file.size > mostBytes) return [];
  return (await text(await readBlob(ctx, file.blob))).split(/\r?\n/);
}

/** Deletes packages of deleted projects. */
export async function sweepPackages(ctx: Context): Promise<void> {
  const folder = join(ctx.config.dataFolder, 'python/projects');
  const ids = (await readdir(folder).catch(() => [])).filter((name) => /^[0-9a-f-]{36}$/.test(name));
  if (ids.length === 0) return;
  const kept = await ctx.db.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids));
  const known = new Set(kept.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) await rm(join(folder, id), { recursive: true, force: true });
}
