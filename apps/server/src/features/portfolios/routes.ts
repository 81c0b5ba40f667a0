import { done, endpoints } from '../../platform/http/implement.ts';
import { addEntry, deleteEntry, listEntries } from './service/entries.ts';
import {
  changePortfolio,
  createPortfolio,
  listPortfolios,
  requirePortfolio,
  viewPortfolio,
} from './service/portfolios.ts';
import { placeRebalance, planRebalance } from './service/rebalance.ts';
import { writeReport } from './service/report.ts';

const { portfolios } = endpoints;

export const portfoliosRoutes = {
  list: portfolios.list.handler(async ({ context }) => ({ entries: await listPortfolios(context) })),
  create: portfolios.create.handler(({ context, input }) => createPortfolio(context, input)),
  get: portfolios.get.handler(async ({ context, input }) =>
    viewPortfolio(context, await requirePortfolio(context, input.id, 'portfolio.view')),
  ),
  change: portfolios.change.handler(({ context, input: { id, ...change } }) => changePortfolio(context, id, change)),
  report: portfolios.report.handler(async ({ context, input }) => ({
    file_id: await writeReport(context, input.id),
  })),
  entries: portfolios.entries.handler(({ context, input: { id, page, page_size } }) =>
    listEntries(context, id, page, page_size),
  ),
  addEntry: portfolios.addEntry.handler(({ context, input: { id, ...entry } }) => addEntry(context, id, entry)),
  deleteEntry: portfolios.deleteEntry.handler(({ context, input: { id, entryId } }) =>
    done(deleteEntry(context, id, entryId)),
  ),
  rebalancePreview: portfolios.rebalancePreview.handler(({ context, input }) =>
    planRebalance(context, input.id, input.connection_id),
  ),
  rebalance: portfolios.rebalance.handler(({ context, input: { id, ...input } }) => placeRebalance(context, id, input)),
};
