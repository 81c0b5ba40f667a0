import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, empty, id, line, list, page } from '../fields.ts';
import { tradingOrder } from '../trading/entity.ts';
import { exchangeTypes } from '../trading/values.ts';
import {
  newPortfolioEntry,
  portfolioDetail,
  portfolioEntry,
  portfolioSummary,
  portfolioTargets,
  rebalanceOrder,
  rebalancePlan,
} from './entity.ts';

const about = { tag: 'Portfolios', flag: 'portfolios' } as const;
const view = { ...about, permission: 'portfolio.view' } as const;
const edit = { ...about, permission: 'portfolio.edit' } as const;
const trade = { ...about, permission: 'portfolio.trade' } as const;
const ofPortfolio = z.strictObject({ id });
const connectionIds = z.array(id).max(20);

export const portfoliosEndpoints = {
  list: endpoint('GET', '/v1/portfolios', {
    ...about,
    permission: 'portfolio.list',
    summary: 'Your portfolios, and those shared with you',
  })
    .input(empty)
    .output(z.object({ entries: z.array(portfolioSummary) })),

  create: endpoint('POST', '/v1/portfolios', {
    ...about,
    permission: 'portfolio.create',
    summary: 'Create a portfolio, from connections or by hand',
    description: 'A portfolio is a project: it is shared, published and deleted as one.',
  })
    .input(
      z.strictObject({
        name: line(120).min(1, 'Enter a name'),
        exchange: z.enum(exchangeTypes).default('demo'),
        connection_ids: connectionIds.default([]),
      }),
    )
    .output(portfolioDetail),

  get: endpoint('GET', '/v1/portfolios/{id}', { ...view, summary: 'One portfolio, valued now' })
    .input(ofPortfolio)
    .output(portfolioDetail),

  change: endpoint('PATCH', '/v1/portfolios/{id}', { ...edit, summary: 'Change its targets and connections' })
    .input(ofPortfolio.extend({ targets: portfolioTargets.optional(), connection_ids: connectionIds.optional() }))
    .output(portfolioDetail),

  report: endpoint('POST', '/v1/portfolios/{id}/report', {
    ...edit,
    summary: 'Write its shares and returns as they are now into a file of the project, to be published',
    description: 'Readers see shares and returns, and no amounts.',
  })
    .input(ofPortfolio)
    .output(z.object({ file_id: id })),

  entries: endpoint('GET', '/v1/portfolios/{id}/entries', {
    ...view,
    summary: 'What was entered by hand, newest first',
  })
    .input(ofPortfolio.extend({ page: page(1), page_size: page(20, 100) }))
    .output(list(portfolioEntry)),
  addEntry: endpoint('POST', '/v1/portfolios/{id}/entries', {
    ...edit,
    summary: 'Enter a deposit, withdrawal or trade',
  })
    .input(newPortfolioEntry.extend({ id }))
    .output(portfolioEntry),
  deleteEntry: endpoint('DELETE', '/v1/portfolios/{id}/entries/{entryId}', { ...edit, summary: 'Delete an entry' })
    .input(ofPortfolio.extend({ entryId: id }))
    .output(done),

  rebalancePreview: endpoint('GET', '/v1/portfolios/{id}/rebalance', {
    ...trade,
    summary: 'The orders that would bring it to its targets',
  })
    .input(ofPortfolio.extend({ connection_id: id }))
    .output(rebalancePlan),
  rebalance: endpoint('POST', '/v1/portfolios/{id}/rebalance', {
    ...trade,
    summary: 'Place the orders that were previewed',
    description:
      'Sales first. Sent again with the same `request_id`, nothing is ordered twice. It ends with the first refusal.',
  })
    .input(
      ofPortfolio.extend({
        connection_id: id,
        request_id: id,
        orders: z
          .array(rebalanceOrder.pick({ symbol: true, side: true, amount: true }))
          .min(1)
          .max(100),
      }),
    )
    .output(z.object({ orders: z.array(tradingOrder), problem: z.string().nullable() })),
};
