import type { EndpointFields, PortfolioEntry } from '@atoll/contract';
import { decimal } from '@atoll/trading';
import { and, desc, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { invalidField, notFound } from '../../../platform/errors.ts';
import { type EntryRow, portfolioEntries } from '../table.ts';
import { requirePortfolio } from './portfolios.ts';

const view = (row: EntryRow): PortfolioEntry => ({
  id: row.id,
  kind: row.kind,
  asset: row.asset,
  amount: decimal(row.amount).toFixed(),
  price: decimal(row.price).toFixed(),
  fee: decimal(row.fee).toFixed(),
  note: row.note,
  at: row.at.toISOString(),
});

export async function listEntries(ctx: Context, id: string, page: number, size: number) {
  await requirePortfolio(ctx, id, 'portfolio.view');
  const own = eq(portfolioEntries.projectId, id);
  const [rows, total] = await Promise.all([
    ctx.db
      .select()
      .from(portfolioEntries)
      .where(own)
      .orderBy(desc(portfolioEntries.at), desc(portfolioEntries.id))
      .limit(size)
      .offset((page - 1) * size),
    ctx.db.$count(portfolioEntries, own),
  ]);
  return { entries: rows.map(view), page, page_size: size, total };
}

const mostEntries = 10_000;

export async function addEntry(
  ctx: Context,
  id: string,
  entry: EndpointFields<'portfolios', 'addEntry'>,
): Promise<PortfolioEntry> {
  const { portfolio } = await requirePortfolio(ctx, id, 'portfolio.edit');
  const at = entry.at ? new Date(entry.at) : ctx.now();
  if (at > ctx.now()) throw invalidField('at', 'Must not be in the future.');
  const isTrade = entry.kind === 'buy' || entry.kind === 'sell';
  if (isTrade && entry.asset === portfolio.tradeAsset)
    throw invalidField('asset', `${entry.asset} is what trades are paid with.`);
  const price = entry.asset === portfolio.tradeAsset ? '1' : entry.price;
  return ctx.write(async ({ tx, emit }) => {
    const all = await tx.$count(portfolioEntries, eq(portfolioEntries.projectId, id));
    if (all >= mostEntries) throw invalidField('kind', `A portfolio has at most ${mostEntries} entries.`);
    const [row] = await tx
      .insert(portfolioEntries)
      .values({ ...entry, price, at, projectId: id })
      .returning();
    if (!row) throw new Error('The entry was not stored');
    await emit('portfolio.changed', { project_id: id, what: 'entries' });
    return view(row);
  });
}

export async function deleteEntry(ctx: Context, id: string, entryId: string): Promise<void> {
  await requirePortfolio(ctx, id, 'portfolio.edit');
  await ctx.write(async ({ tx, emit }) => {
    const gone = await tx
      .delete(portfolioEntries)
      .where(and(eq(portfolioEntries.projectId, id), eq(portfolioEntries.id, entryId)))
      .returning({ id: portfolioEntries.id });
    if (gone.length === 0) throw notFound('This entry');
    await emit('portfolio.changed', { project_id: id, what: 'entries' });
  });
}
