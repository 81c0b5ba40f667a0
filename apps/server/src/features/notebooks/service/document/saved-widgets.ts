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

/** Widgets of a kernel on this server. Other servers are not called in a transaction, because they may wait for it. */
export const widgetsHere = (ctx: Context, { sessionId }: NotebookRow): Widgets =>
  (sessionId ? here(ctx, sessionId) : null) ?? {};

/** Provides widgets to other servers, because a server without the kernel may save the notebook. */
export function publishWidgets(ctx: Context): void {
  ctx.peers.answer(subject, async (sessionId) => JSON.parse(JSON.stringify(here(ctx, String(sessionId)) ?? {})));
}

export async function widgetsInKernel(ctx: Context, { sessionId, projectId, fileId }: NotebookRow): Promise<Widgets> {
  if (!sessionId) return {};
  const known = here(ctx, sessionId);
  if (known || ownershipOf(ctx).has(fileId)) return known ?? {};
  const owner = await otherOwner(ctx, { projectId, fileId });
  // An unreachable server must not prevent a save.
  return owner ? ((await ctx.peers.ask(owner, subject, sessionId).catch(() => ({}))) as Widgets) : {};
}

/** Returns the metadata to save, with the shown widgets, so that they can be shown without the kernel. */
export async function metadataToSave(
  ctx: Context,
  row: NotebookRow,
  widgets: Widgets,
  cells: (Pick<CellRow, 'id'> & { shown: { outputs: CellOutput[] } | null })[],
): Promise<NotebookRow['metadata']> {
  if (Object.keys(widgets).length === 0) return row.metadata;
  const base = row.baseBlob ? await readBase(ctx, row.baseBlob) : null;
  const inFile = new Map(base?.cells.map((cell) => [cell.id, cell]));
  // Not all outputs of a large file are known here.
  const isKnown = !base?.cells.some(({ all }) => all);
  const shown = cells.flatMap(({ id, shown }) => widgetsIn((shown ?? inFile.get(id))?.outputs ?? []));
  return withWidgets(row.metadata, storable(widgets), isKnown ? shown : null);
}
