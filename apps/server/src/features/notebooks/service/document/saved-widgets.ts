import type { CellOutput } from '@atoll/contract';
import { type Widget, widgetsIn, withWidgets } from '@atoll/notebook';
import type { Context } from '../../../../platform/context.ts';
import { kernelSessionsOf } from '../../../kernels/service/kernel-sessions.ts';
import { storable } from '../../../kernels/service/store-batch.ts';
import type { CellRow, NotebookRow } from '../../table.ts';
import { readBase } from '../base.ts';
import { otherOwner, ownershipOf } from '../queue/owner.ts';

export type Widgets = Record<string, Widget>;

const subject = 'notebook.widgets';

const here = (ctx: Context, sessionId: string): Widgets | null =>
  kernelSessionsOf(ctx).find(sessionId)?.widgets() ?? null;

/** Where others cannot be asked: in a transaction, which they may be waiting for. */
export const widgetsHere = (ctx: Context, { sessionId }: NotebookRow): Widgets =>
  (sessionId ? here(ctx, sessionId) : null) ?? {};

/** Whichever server saves a notebook, one of them has its kernel. */
export function publishWidgets(ctx: Context): void {
  ctx.peers.answer(subject, async (sessionId) => JSON.parse(JSON.stringify(here(ctx, String(sessionId)) ?? {})));
}

export async function widgetsInKernel(ctx: Context, { sessionId, projectId, fileId }: NotebookRow): Promise<Widgets> {
  if (!sessionId) return {};
  const known = here(ctx, sessionId);
  if (known || ownershipOf(ctx).has(fileId)) return known ?? {};
  const owner = await otherOwner(ctx, { projectId, fileId });
  // A server that does not answer must not keep a notebook from being saved.
  return owner ? ((await ctx.peers.ask(owner, subject, sessionId).catch(() => ({}))) as Widgets) : {};
}

/** The metadata as it is saved, with the widgets that are seen: they can be shown when the kernel is gone. */
export async function metadataToSave(
  ctx: Context,
  row: NotebookRow,
  widgets: Widgets,
  cells: (Pick<CellRow, 'id'> & { shown: { outputs: CellOutput[] } | null })[],
): Promise<NotebookRow['metadata']> {
  if (Object.keys(widgets).length === 0) return row.metadata;
  const base = row.baseBlob ? await readBase(ctx, row.baseBlob) : null;
  const inFile = new Map(base?.cells.map((cell) => [cell.id, cell]));
  // Of a large file not all that cells show is known here.
  const isKnown = !base?.cells.some(({ all }) => all);
  const shown = cells.flatMap(({ id, shown }) => widgetsIn((shown ?? inFile.get(id))?.outputs ?? []));
  return withWidgets(row.metadata, storable(widgets), isKnown ? shown : null);
}
