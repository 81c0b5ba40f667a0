import type { BinnedCell } from '@atoll/contract';
import { and, desc, eq, isNotNull, lt } from 'drizzle-orm';
import type { Context } from '../../../../platform/context.ts';
import { requireProject } from '../../../projects/service/access.ts';
import { loadPeopleOf } from '../../../projects/service/relations.ts';
import { notebookCells } from '../../table.ts';
import type { Address } from '../address.ts';
import { cellView } from '../document/open.ts';

const binLife = 30 * 24 * 60 * 60_000;
const mostShown = 200;

export async function listBin(ctx: Context, address: Address): Promise<{ cells: BinnedCell[] }> {
  await requireProject(ctx, ctx.db, address.projectId, 'project.view_history');
  const rows = await ctx.db
    .select()
    .from(notebookCells)
    .where(and(eq(notebookCells.fileId, address.fileId), isNotNull(notebookCells.deletedAt)))
    .orderBy(desc(notebookCells.deletedAt))
    .limit(mostShown);
  const people = await loadPeopleOf(ctx.db, rows, ({ deletedById }) => deletedById);
  return {
    cells: rows.map((row) => ({
      ...cellView(row),
      deleted_at: (row.deletedAt ?? ctx.now()).toISOString(),
      deleted_by: people.get(row.deletedById ?? '') ?? null,
    })),
  };
}

export async function emptyBin(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - binLife);
  await ctx.db.delete(notebookCells).where(lt(notebookCells.deletedAt, before));
}
