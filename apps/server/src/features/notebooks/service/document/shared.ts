import type { Notebook, PublicationPayload } from '@atoll/contract';
import { takeItems } from '@atoll/notebook';
import type { Context } from '../../../../platform/context.ts';
import { denied, notFound } from '../../../../platform/errors.ts';
import { type EmbeddedFile, findEmbed } from '../../../embeds/service/embeds.ts';
import type { FileRow } from '../../../files/table.ts';
import { requirePublishedFile } from '../../../publications/service/contents.ts';
import type { CellRow } from '../../table.ts';
import { type Address, assertNotebook } from '../address.ts';
import { readBase } from '../base.ts';
import { moreOf, shownOf } from '../cells/shown.ts';
import { kernelView } from '../kernel/kernel-view.ts';
import { cellsOfFile } from './adopt.ts';
import { cellView, languageOf } from './open.ts';

/** A notebook for readers without rights in its project: as it was published, or as its embed shows it. */
interface SharedNotebook {
  file: FileRow;
  language: string;
  blob: string;
  version: { number: number; id: string };
  hides: PublicationPayload | null;
}

export async function publishedNotebook(
  ctx: Context,
  address: Address,
  publicationId: string,
): Promise<SharedNotebook> {
  const { file, project, publication, version } = await requirePublishedFile(ctx, publicationId, address);
  if (publication.fileId !== file.id) throw notFound('This publication');
  assertNotebook(file);
  return {
    file,
    language: project.language,
    blob: version.sourceBlob,
    version: { number: version.number, id: version.id },
    hides: version.payload,
  };
}

export async function requireNotebookEmbed(ctx: Context, embedId: string): Promise<EmbeddedFile> {
  const found = await findEmbed(ctx, { embedId });
  if (!found) throw notFound('This embed');
  assertNotebook(found.file);
  return found;
}

export async function embeddedNotebook(ctx: Context, embedId: string): Promise<SharedNotebook> {
  const { file, project } = await requireNotebookEmbed(ctx, embedId);
  return {
    file,
    language: project.language,
    blob: file.blob,
    version: { number: file.version, id: file.versionId },
    hides: null,
  };
}

async function shownCells(ctx: Context, { file, blob, hides }: SharedNotebook): Promise<CellRow[]> {
  const hidden = new Set(hides?.hidden_cell_ids);
  const isCodeHidden = hides?.shows_code === false;
  return (await cellsOfFile(ctx, file.id, blob))
    .filter(({ id }) => !hidden.has(id))
    .map((cell) => (isCodeHidden && cell.type !== 'markdown' ? { ...cell, source: '' } : cell));
}

export async function openShared(ctx: Context, shared: SharedNotebook): Promise<Notebook> {
  const { file, blob, language, version } = shared;
  const cells = await shownCells(ctx, shared);
  const shown = await shownOf(ctx, ctx.db, cells, blob, new Map());
  const { metadata, problems } = await readBase(ctx, blob);
  const inFile = takeItems(metadata);
  // The state of widgets would reveal that of hidden cells, too.
  const { widgets: _, ...rest } = inFile.metadata;
  return {
    file_id: file.id,
    version: version.number,
    version_id: version.id,
    position: 0,
    mode: 'view',
    language: languageOf(metadata) ?? language,
    problems,
    is_saved: true,
    head: { metadata: rest, revision: 0 },
    settings: { is_autorun_after_files_updated: false, is_parallel_execution_enabled: false },
    cells: cells.flatMap((cell) => {
      const outputs = shown.get(cell.id);
      return outputs ? [{ ...cellView(cell), ...outputs }] : [];
    }),
    items: inFile.items.map((item) => ({ ...item, revision: 0 })),
    locks: [],
    queue: [],
    kernel: await kernelView(ctx.db, null),
  };
}

export async function moreOfShared(ctx: Context, shared: SharedNotebook, cellId: string, from: number) {
  const cell = (await shownCells(ctx, shared)).find(({ id }) => id === cellId);
  if (!cell) throw notFound('This cell');
  return moreOf(ctx, cell, shared.blob, from);
}

const readingCommands = new Set(['get_notebook', 'get_cell_output']);

export function assertReading(event: string): void {
  if (!readingCommands.has(event)) throw denied('no_permissions', 'A publication can only be read here.');
}
