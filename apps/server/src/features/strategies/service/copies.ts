import { Readable } from 'node:stream';
import type { EndpointFields, StrategyRunView } from '@atoll/contract';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { AppError, invalidField } from '../../../platform/errors.ts';
import { requirePortfolio } from '../../portfolios/service/portfolios.ts';
import { portfolioConnections } from '../../portfolios/table.ts';
import { requirePublished } from './published.ts';
import { addRun, settingsFor } from './runs.ts';

const largestCode = 1024 ** 2;

/** The published version at work in a portfolio of the caller: their money, their limits, and they never see its code. */
export async function copyStrategy(
  ctx: Context,
  id: string,
  input: EndpointFields<'strategies', 'copy'>,
): Promise<StrategyRunView> {
  const { publication, snapshot } = await requirePublished(ctx, id);
  const { project } = await requirePortfolio(ctx, input.portfolio_id, 'portfolio.trade');
  const { code, codePath, parameters, settings: tested } = snapshot;
  if (tested.source.type === 'file')
    throw new AppError('conflict', 'It was tested on bars of a file, so there is no market to run it on.');
  const { symbols, timeframe } = tested;
  const { connection, settings } = await settingsFor(ctx, project.id, { ...input, settings: { symbols, timeframe } });
  const [ofPortfolio] = await ctx.db
    .select({ id: portfolioConnections.connectionId })
    .from(portfolioConnections)
    .where(and(eq(portfolioConnections.projectId, project.id), eq(portfolioConnections.connectionId, connection.id)));
  if (!ofPortfolio) throw invalidField('connection_id', 'Choose a connection of this portfolio.');
  const { sha256 } = await ctx.blobs.put(Readable.from([Buffer.from(code)]), largestCode);
  return addRun(ctx, connection, {
    projectId: project.id,
    isCopy: true,
    publicationId: publication.id,
    codePath,
    codeBlob: sha256,
    parameters,
    settings,
    capital: String(input.capital),
    limits: input.limits,
    requestId: input.request_id,
  });
}
