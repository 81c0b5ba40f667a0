import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { storeWritten } from '../../files/service/written.ts';
import { directories, files } from '../../files/table.ts';
import type { KernelSessionRow } from '../table.ts';
import { WorkingFolder } from './working-folder.ts';

/** The project's files in a kernel's folder, and what the code writes there back in the project. */
export class ProjectMirror {
  readonly #ctx: Context;
  readonly #folder: WorkingFolder;
  readonly #session: KernelSessionRow;
  readonly #noticed = new Set<string>();
  /** One after the other: two at once would store the same file twice. */
  #saving: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context, folder: string, session: KernelSessionRow) {
    this.#ctx = ctx;
    this.#folder = new WorkingFolder(folder, ctx.blobs);
    this.#session = session;
  }

  async fill(): Promise<void> {
    const { projectId } = this.#session;
    if (!projectId) return;
    const folders = await this.#ctx.db.select().from(directories).where(eq(directories.projectId, projectId));
    await this.#folder.fill(
      await this.#tree(projectId),
      folders.map(({ path }) => path),
    );
  }

  async remember(): Promise<void> {
    const { projectId } = this.#session;
    if (projectId) this.#folder.remember(await this.#tree(projectId));
  }

  /** What was written since the last time becomes part of the project; answers what is worth knowing. */
  save(options: { isFinal: boolean }): Promise<string[]> {
    const saved = this.#saving.then(() => this.#save(options));
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async #save(options: { isFinal: boolean }): Promise<string[]> {
    const { projectId, userId } = this.#session;
    if (!projectId) return [];
    const changes = await this.#folder.changes(options);
    const notices = changes.notices;
    if (changes.saved.length + changes.deleted.length > 0) {
      if (this.#session.savesFiles) notices.push(...(await storeWritten(this.#ctx, projectId, userId, changes)));
      else notices.push('What the code wrote was not kept: you may not edit this project.');
    }
    const fresh = notices.filter((notice) => !this.#noticed.has(notice));
    for (const notice of fresh) this.#noticed.add(notice);
    return fresh;
  }

  #tree(projectId: string): Promise<{ path: string; blob: string }[]> {
    return this.#ctx.db
      .select({ path: files.path, blob: files.blob })
      .from(files)
      .where(and(eq(files.projectId, projectId), isNull(files.deletedAt)));
  }
}
