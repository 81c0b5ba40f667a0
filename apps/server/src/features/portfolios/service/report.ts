import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { readBlob } from '../../../platform/blobs.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { writeFileAt } from '../../files/service/files.ts';
import { requirePortfolio, viewPortfolio } from './portfolios.ts';

/** What is published of a portfolio: shares and returns, and no amount of money. */
const portfolioReport = z.object({
  at: z.iso.datetime(),
  environment: z.string(),
  trade_asset: z.string(),
  shares: z.array(z.object({ asset: z.string(), share: z.number(), target: z.number().nullable() })).max(1_000),
  figures: z.array(z.object({ name: z.string(), words: z.string() })).max(20),
  growth: z.array(z.object({ day: z.string(), growth: z.number() })).max(10_000),
});
export type PortfolioReport = z.infer<typeof portfolioReport>;

export const reportPath = 'portfolio.portfolio';
export const isReport = (path: string): boolean => /\.portfolio$/i.test(path);

const percent = (value: number) => `${value >= 0 ? '+' : '−'}${Math.abs(value * 100).toFixed(2)} %`;

/** The portfolio as it is now, as a file of its project: that is what is published. Answers the file's id. */
export async function writeReport(ctx: Context, id: string): Promise<string> {
  const view = await viewPortfolio(ctx, await requirePortfolio(ctx, id, 'portfolio.edit'));
  const { returns, sharpe, sharpe_error, volatility, max_drawdown } = view;
  const figure = (name: string, { value, reason }: typeof sharpe, words = percent) => ({
    ...{ name, words: value === null ? (reason ?? '–') : words(value) },
  });
  const error = sharpe_error.value === null ? '' : ` ± ${sharpe_error.value.toFixed(2)}`;
  const report: PortfolioReport = {
    at: ctx.now().toISOString(),
    environment: view.environment,
    trade_asset: view.trade_asset,
    shares: view.holdings.flatMap(({ asset, share, target }) => (share ? [{ asset, share, target }] : [])),
    figures: [
      figure('1 day', returns['1d']),
      figure('7 days', returns['7d']),
      figure('30 days', returns['30d']),
      figure('All time', returns.max),
      figure('Sharpe', sharpe, (value) => value.toFixed(2) + error),
      figure('Volatility', volatility, (value) => `${(value * 100).toFixed(1)} %`),
      figure('Largest fall', max_drawdown),
    ],
    growth: view.equity.map(({ day, growth }) => ({ day, growth })),
  };
  const file = await writeFileAt(ctx, id, reportPath, JSON.stringify(report, null, 2));
  return file.id;
}

/** People can change the file as any other. */
export async function readReport(ctx: Context, blob: string): Promise<PortfolioReport> {
  const content = await text(await readBlob(ctx, blob));
  try {
    return portfolioReport.parse(JSON.parse(content));
  } catch {
    throw new AppError('unprocessable_entity', 'This file is not the report of a portfolio. Create it again.');
  }
}
