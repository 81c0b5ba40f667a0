import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  baseName,
  type EndpointInput,
  executableKind,
  extensionOf,
  featureOfKind,
  isNotebookPath,
  mainFileName,
  type ProjectKind,
  type TableFormat,
  tableFormatOf,
  uploadLimits,
} from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { missingBlob } from '../../../platform/blobs.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { newId } from '../../../platform/db/columns.ts';
import { denied, invalidField } from '../../../platform/errors.ts';
import { checkFlag } from '../../../platform/flags/check-flag.ts';
import { saveForCopy } from '../../files/service/open-documents.ts';
import { copyFiles, insertFile, type NewFile } from '../../files/service/store.ts';
import { unpackZip } from '../../files/service/unpack.ts';
import { copyPicture } from '../../uploads/service/pictures.ts';
import { finishedUpload } from '../../uploads/service/slots.ts';
import { type ProjectRow, projects } from '../table.ts';
import { dataNotebook, separatorOf } from '../templates/data-notebook.ts';
import { findTemplate } from '../templates/gallery.ts';
import { firstFiles } from '../templates/main-files.ts';
import { requireProject } from './access.ts';
import { countOnDay } from './days.ts';
import { assertRoom, refreshSearch } from './write.ts';

type NewProject = EndpointInput<'projects', 'create'> & { section?: string };

interface Start {
  kind: ProjectKind;
  files: NewFile[];
  main: string | null;
}

export async function createProject(ctx: Context, input: NewProject): Promise<ProjectRow> {
  assertEditor(ctx);
  const start = await startFrom(ctx, input);
  return ctx.write(async (write) => {
    await assertRoom(ctx, write);
    const row = await insertProject(ctx, write, {
      name: input.name,
      description: input.description ?? '',
      kind: start.kind,
      language: input.language,
      visibility: input.visibility,
      hidesSource: input.hides_source,
      section: input.section ?? null,
    });
    let defaultFileId: string | null = null;
    for (const file of start.files) {
      const stored = await insertFile(ctx, write, row.id, file);
      if (file.path === start.main) defaultFileId = stored.id;
    }
    await refreshSearch(write, row.id);
    await write.emit('project.created', { project_id: row.id });
    if (!defaultFileId) return row;
    const [withMain] = await write.tx
      .update(projects)
      .set({ defaultFileId })
      .where(eq(projects.id, row.id))
      .returning();
    return withMain ?? row;
  });
}

/** What the project begins with. Bytes are stored before the transaction, which then only writes rows. */
async function startFrom(ctx: Context, input: NewProject): Promise<Start> {
  const kind = input.kind ?? (input.is_ai_project ? 'ai' : input.is_bi_project ? 'bi' : 'notebook');
  if (input.upload_id) return startFromUpload(ctx, input.upload_id);
  if (input.template) {
    const template = findTemplate(input.template);
    if (!template) throw invalidField('template', 'There is no template with this name');
    checkKind(ctx, template.kind);
    return {
      kind: template.kind,
      files: await storeTexts(ctx, template.files),
      main: mainFileName[template.kind],
    };
  }
  checkKind(ctx, kind);
  if (!input.create_main_file) return { kind, files: [], main: null };
  return { kind, files: await storeTexts(ctx, firstFiles(kind, input.language)), main: mainFileName[kind] };
}

/** That variant shows its guests what is published, and no editor. */
function assertEditor({ config, actor }: Context): void {
  if (config.platform === 'dpasa' && actor.kind === 'guest')
    throw denied('disabled_in_configuration', 'Sign in to create projects.');
}

const checkKind = (ctx: Context, kind: ProjectKind): void => checkFlag(ctx, featureOfKind[kind]);

const storeTexts = (ctx: Context, texts: Record<string, string>): Promise<NewFile[]> =>
  Promise.all(Object.entries(texts).map(([path, content]) => storeText(ctx, path, content)));

async function storeText(ctx: Context, path: string, content: string): Promise<NewFile> {
  const blob = await ctx.blobs.put(Readable.from([Buffer.from(content)]), uploadLimits.file);
  return { path, blob: blob.sha256, size: blob.size };
}

async function startFromUpload(ctx: Context, uploadId: string): Promise<Start> {
  const upload = await ctx.db.transaction((tx) => finishedUpload(ctx, tx, uploadId, 'upload_id'));
  const kind = isNotebookPath(upload.clientName) ? executableKind(upload.clientName) : null;
  if (kind) {
    checkKind(ctx, kind);
    const path = mainFileName[kind];
    return { kind, files: [{ path, blob: upload.blob, size: upload.size }], main: path };
  }
  const format = tableFormatOf(upload.clientName);
  if (format) return startFromTable(ctx, upload, format);
  if (extensionOf(upload.clientName) !== 'zip') {
    throw invalidField(
      'upload_id',
      'A project can be created from a notebook (.ipynb, .mpsw), a table (csv, tsv, json, parquet, xlsx) or a .zip file',
    );
  }
  const files = await unpackZip(ctx, upload.blob);
  const notebooks = files.filter((file) => extensionOf(file.path) === 'ipynb').map((file) => file.path);
  return {
    kind: 'notebook',
    files,
    main: notebooks.sort((a, b) => a.split('/').length - b.split('/').length)[0] ?? null,
  };
}

type Upload = Awaited<ReturnType<typeof finishedUpload>>;

async function startFromTable(ctx: Context, upload: Upload, format: TableFormat): Promise<Start> {
  if (format === 'xlsx') checkFlag(ctx, 'excel');
  const { blob, size } = upload;
  const name = baseName(upload.clientName);
  const question = { filters: [], page: 1, pageSize: 1, sort: null };
  const { columns } = await ctx.tables.page({ sha256: blob, size, format }, question, ctx.userId);
  const separator =
    format === 'csv' && name.toLowerCase().endsWith('.csv') ? separatorOf(await firstLine(ctx, blob)) : ',';
  const main = mainFileName.notebook;
  const code = await storeText(ctx, main, dataNotebook({ name, format, separator, columns }));
  return { kind: 'notebook', files: [{ path: name, blob, size }, code], main };
}

async function firstLine(ctx: Context, blob: string): Promise<string> {
  const content = await ctx.blobs.get(blob, { start: 0, end: 9_999 });
  if (!content) throw missingBlob(blob);
  return (await text(content)).split('\n', 1)[0] ?? '';
}

type Fields = Pick<ProjectRow, 'name' | 'description' | 'kind' | 'language' | 'visibility'> & Partial<ProjectRow>;

export async function insertProject(ctx: Context, write: Write, fields: Fields): Promise<ProjectRow> {
  const now = ctx.now();
  const ownerId = ctx.userId;
  const [row] = await write.tx
    .insert(projects)
    .values({ ...fields, id: newId(), ownerId, creatorId: ownerId, createdAt: now, updatedAt: now, ownedAt: now })
    .returning();
  if (!row) throw new Error('The project was not stored');
  return row;
}

/** A copy of one's own: rows only, and private until its owner decides otherwise. */
export async function cloneProject(ctx: Context, id: string, name: string | undefined): Promise<ProjectRow> {
  await requireProject(ctx, ctx.db, id, 'project.clone');
  await saveForCopy(ctx, id);
  return ctx.write(async (write) => {
    const { project } = await requireProject(ctx, write.tx, id, 'project.clone');
    await assertRoom(ctx, write);
    const { description, kind, language, license, section } = project;
    const clone = await insertProject(ctx, write, {
      name: name ?? `${project.name.slice(0, 110)} (copy)`,
      description,
      kind,
      language,
      license,
      section,
      // Code that its owner has not read yet is no more theirs in a copy.
      isAwaitingReview: project.isAwaitingReview,
      thumbnailAssetId: await copyPicture(ctx, write.tx, project.thumbnailAssetId),
      visibility: 'private',
      parentId: id,
    });
    const ids = await copyFiles(ctx, write, id, clone.id);
    await write.tx
      .update(projects)
      .set({ cloneCount: sql`${projects.cloneCount} + 1` })
      .where(eq(projects.id, id));
    await countOnDay(ctx, write.tx, id, 'clones');
    await refreshSearch(write, clone.id);
    await write.emit('project.cloned', { project_id: id, clone_id: clone.id });
    const defaultFileId = ids.get(project.defaultFileId ?? '') ?? null;
    const [row] = await write.tx.update(projects).set({ defaultFileId }).where(eq(projects.id, clone.id)).returning();
    return row ?? clone;
  });
}
