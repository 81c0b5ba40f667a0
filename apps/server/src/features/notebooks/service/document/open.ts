import type { Notebook, NotebookMode, ProjectAbility } from '@atoll/contract';
import { compareCells, takeItems } from '@atoll/notebook';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { notFound } from '../../../../platform/errors.ts';
import { positionsOf } from '../../../../platform/realtime/stream.ts';
import { type FileRow, fileVersions } from '../../../files/table.ts';
import { type ProjectAccess, requireProject } from '../../../projects/service/access.ts';
import { loadPeopleOf } from '../../../projects/service/relations.ts';
import { runs } from '../../../runs/table.ts';
import type { CellRow } from '../../table.ts';
import { type Address, topicOf } from '../address.ts';
import { readBase } from '../base.ts';
import { locksOf } from '../cells/locks.ts';
import { moreOf, shownOf } from '../cells/shown.ts';
import { kernelView } from '../kernel/kernel-view.ts';
import { queueOf } from '../queue/queue-view.ts';
import {
  cellsOfFile,
  currentRow,
  findState,
  itemsOf,
  liveCells,
  type NotebookState,
  readAtOneVersion,
} from './adopt.ts';
import { mapInBatches } from './in-batches.ts';

/** The servers and the saving state of a notebook, for debugging. */
export async function debugOf(ctx: Context, fileId: string) {
  const row = (await findState(ctx.db, fileId))?.row;
  return {
    server_id: await ctx.kernels.serverId(),
    owner_id: row?.ownerId ?? null,
    session_id: row?.sessionId ?? null,
    revision: row?.revision ?? 0,
    unsaved_since: row?.unsavedSince?.toISOString() ?? null,
  };
}

export interface Which {
  versionId?: string | undefined;
  withLastOkRun?: boolean | undefined;
}

export const modeOf = (abilities: readonly ProjectAbility[]): NotebookMode =>
  abilities.includes('edit') ? 'edit' : abilities.includes('execute') ? 'input' : 'view';

/** Loads a notebook as it is now, or a version of it. */
export async function openNotebook(ctx: Context, address: Address, which: Which = {}): Promise<Notebook> {
  const { project, abilities } = await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  // The position is read first: an event that comes in between is in both, and applying it again changes nothing.
  const topic = topicOf(address);
  const position = (await positionsOf(ctx.db, [topic])).get(topic) ?? 0;
  const past = await pastBlob(ctx, address, which);
  const known = { ctx, project, abilities, position, past, which };
  return readAtOneVersion(ctx.db, address, (state) => notebookView(known, past ? { ...state, row: null } : state));
}

interface Known {
  ctx: Context;
  project: ProjectAccess['project'];
  abilities: readonly ProjectAbility[];
  position: number;
  past: string | null;
  which: Which;
}

async function notebookView(
  { ctx, project, abilities, position, past, which }: Known,
  { file, row }: NotebookState,
): Promise<Notebook> {
  const { cells, blob } = past ? await ofFile(ctx, file, past) : await ofNow(ctx, { file, row });
  const people = await loadPeopleOf(ctx.db, cells, ({ executedById }) => executedById);
  const shown = await shownOf(ctx, ctx.db, cells, blob, people);
  const base = await readBase(ctx, blob);
  const current = currentRow({ file, row });
  const inFile = takeItems(base.metadata);
  return {
    file_id: file.id,
    version: file.version,
    version_id: which.versionId ?? file.versionId,
    position,
    mode: past ? 'view' : modeOf(abilities),
    language: languageOf(base.metadata) ?? project.language,
    problems: current && current.revision > 1 ? [] : base.problems,
    is_saved: !row?.unsavedSince,
    head: current
      ? { metadata: current.metadata, revision: current.headRevision }
      : { metadata: inFile.metadata, revision: row?.headRevision ?? 0 },
    settings: {
      is_autorun_after_files_updated: row ? row.autorunById !== null : false,
      is_parallel_execution_enabled: row?.isParallel ?? false,
    },
    cells: await mapInBatches(cells, (cell) => ({ ...cellView(cell), ...(shown.get(cell.id) ?? nothingShown) })),
    items: current ? await itemsOf(ctx.db, file.id) : inFile.items.map((item) => ({ ...item, revision: 0 })),
    locks: past ? [] : await locksOf(ctx, ctx.db, file.id),
    queue: past ? [] : await queueOf(ctx.db, file.id),
    kernel: await kernelView(ctx.db, past ? null : row),
  };
}

const nothingShown = { execution_count: null, execution: null, outputs: [], outputs_total: 0, outputs_bytes: 0 };

export const cellView = ({ id, rank, type, source, metadata, attachments, revision }: CellRow) => ({
  id,
  rank,
  type,
  source,
  metadata,
  attachments,
  revision,
});

async function ofNow(ctx: Context, state: NotebookState) {
  const { file } = state;
  const row = currentRow(state);
  if (!row?.baseBlob) return ofFile(ctx, file, file.blob);
  return { cells: (await liveCells(ctx.db, file.id)).sort(compareCells), blob: row.baseBlob };
}

const ofFile = async (ctx: Context, file: FileRow, blob: string) => ({
  cells: await cellsOfFile(ctx, file.id, blob),
  blob,
});

async function pastBlob(ctx: Context, { projectId, fileId }: Address, which: Which): Promise<string | null> {
  if (!which.versionId && !which.withLastOkRun) return null;
  await requireProject(ctx, ctx.db, projectId, 'project.view_history');
  if (which.versionId) {
    const [version] = await ctx.db
      .select({ blob: fileVersions.blob })
      .from(fileVersions)
      .where(and(eq(fileVersions.id, which.versionId), eq(fileVersions.fileId, fileId)));
    if (!version) throw notFound('This version');
    return version.blob;
  }
  const [run] = await ctx.db
    .select({ blob: runs.resultBlob })
    .from(runs)
    .where(and(eq(runs.fileId, fileId), eq(runs.status, 'ok'), isNotNull(runs.resultBlob)))
    .orderBy(desc(runs.number))
    .limit(1);
  if (!run?.blob) throw notFound('A run of this notebook that succeeded');
  return run.blob;
}

export function languageOf(metadata: Record<string, unknown>): string | null {
  const { language_info: info, kernelspec } = metadata as Record<string, { name?: unknown; language?: unknown } | null>;
  const name = info?.name ?? kernelspec?.language;
  return typeof name === 'string' && name !== '' ? name.toLowerCase() : null;
}

/** Loads more outputs of a cell, from a position on. */
export async function moreOutputs(
  ctx: Context,
  address: Address,
  { cellId, from, which }: { cellId: string; from: number; which: Which },
) {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_source');
  const past = await pastBlob(ctx, address, which);
  return readAtOneVersion(ctx.db, address, async (state) => {
    const { cells, blob } = past ? await ofFile(ctx, state.file, past) : await ofNow(ctx, state);
    const cell = cells.find(({ id }) => id === cellId);
    if (!cell) throw notFound('This cell');
    return moreOf(ctx, cell, blob, from);
  });
}
