import { and, eq, gte, isNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { storeWritten } from '../../../files/service/written.ts';
import { directories, files } from '../../../files/table.ts';
import type { KernelSessionRow } from '../../table.ts';
import { type FolderChanges, WorkingFolder } from './working-folder.ts';

/** The limit of stored bytes for one session, because versions pile up while its code writes. */
const mostStored = 2 * 1024 ** 3;
const mostNotices = 100;
/** Changes written this long before the server ended had been saved to the project. */
const longestSaveMs = 60_000;

/** Copies the project's files to a kernel's folder, and the files that code writes there back to the project. */
export class ProjectMirror {
  readonly #ctx: Context;
  readonly #folder: WorkingFolder;
  readonly #session: KernelSessionRow;
  readonly #noticed = new Set<string>();
  /** Notices that no final save has returned yet, because no caller reads those of intermediate saves. */
  #untold: string[] = [];
  #bytesLeft: number;
  #isOver = false;
  /** Saves run one after the other: two at once would store the same file twice. */
  #saving: Promise<unknown> | null = null;

  constructor(ctx: Context, folder: string, session: KernelSessionRow, mostBytes = mostStored) {
    this.#ctx = ctx;
    this.#folder = new WorkingFolder(folder, ctx.blobs);
    this.#session = session;
    this.#bytesLeft = mostBytes;
  }

  fill(): Promise<void> {
    return this.#inTurn(() => this.#fill());
  }

  async #fill(): Promise<void> {
    const { projectId } = this.#session;
    if (!projectId) return;
    const folders = await this.#ctx.db.select().from(directories).where(eq(directories.projectId, projectId));
    const notices = await this.#folder.fill(
      await this.#tree(projectId),
      folders.map(({ path }) => path),
    );
    this.#fresh(notices);
  }

  async remember(): Promise<void> {
    const { projectId, startedAt, heartbeatAt } = this.#session;
    if (!projectId) return;
    // A file that was deleted in the project meanwhile is still in the folder, and must not be restored from there.
    const deleted = await this.#ctx.db
      .select({ path: files.path, blob: files.blob, updatedAt: files.deletedAt })
      .from(files)
      .where(and(eq(files.projectId, projectId), gte(files.deletedAt, startedAt)));
    this.#folder.remember(deleted.flatMap(({ updatedAt, ...file }) => (updatedAt ? [{ ...file, updatedAt }] : [])));
    this.#folder.remember(await this.#tree(projectId), heartbeatAt.getTime() - longestSaveMs);
  }

  /**
   * Saves files written since the last save to the project and returns new notices; a final save also returns those of
   * earlier saves. An intermediate save does nothing while another save runs.
   */
  save(options: { isFinal: boolean }): Promise<string[]> {
    if (this.#saving && !options.isFinal) return Promise.resolve([]);
    return this.#inTurn(() => this.#save(options));
  }

  /** Copies changes of the project into the folder; true when there were any. */
  pull(): Promise<boolean> {
    return this.#inTurn(async () => {
      const { projectId } = this.#session;
      return projectId !== null && this.#folder.update(await this.#tree(projectId));
    });
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = (this.#saving ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#saving === settled) this.#saving = null;
      });
    this.#saving = settled;
    return done;
  }

  async #save(options: { isFinal: boolean }): Promise<string[]> {
    const fresh = this.#fresh(await this.#stored(options));
    if (!options.isFinal) return fresh;
    const untold = this.#untold;
    this.#untold = [];
    return untold;
  }

  async #stored(options: { isFinal: boolean }): Promise<string[]> {
    const { projectId, userId, savesFiles } = this.#session;
    if (!projectId || this.#isOver) return [];
    if (!savesFiles) {
      this.#isOver = await this.#folder.hasChanged(options);
      return this.#isOver ? ['What the code wrote was not kept: you may not edit this project.'] : [];
    }
    const changes = await this.#folder.changes({ ...options, mostBytes: this.#bytesLeft });
    const { notices } = changes;
    this.#bytesLeft -= changes.bytes;
    if (changes.saved.length + changes.deleted.length > 0)
      notices.push(...(await this.#store(projectId, userId, changes)));
    this.#isOver = changes.isFull;
    if (changes.isFull) notices.push('Not all that the code wrote was kept: it is more than 2 GB together.');
    return notices;
  }

  async #store(projectId: string, userId: string, changes: FolderChanges): Promise<string[]> {
    try {
      return await storeWritten(this.#ctx, projectId, userId, changes, this.#session.id);
    } catch (error) {
      this.#folder.putBack(changes);
      throw error;
    }
  }

  /** Returns the new notices; after a hundred, one summary replaces the rest of thousands of files that cannot be kept. */
  #fresh(notices: string[]): string[] {
    const fresh = [];
    for (const notice of notices) {
      if (this.#noticed.has(notice) || this.#noticed.size > mostNotices) continue;
      fresh.push(this.#noticed.size < mostNotices ? notice : 'There is more that was not kept.');
      this.#noticed.add(notice);
    }
    this.#untold.push(...fresh);
    return fresh;
  }

  #tree(projectId: string): Promise<{ path: string; blob: string; updatedAt: Date }[]> {
    return this.#ctx.db
      .select({ path: files.path, blob: files.blob, updatedAt: files.updatedAt })
      .from(files)
      .where(and(eq(files.projectId, projectId), isNull(files.deletedAt)));
  }
}
