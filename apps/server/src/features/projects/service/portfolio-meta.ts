import type { PortfolioMeta } from '@atoll/contract';
import { appState } from '../../../platform/app-state.ts';
import type { Context } from '../../../platform/context.ts';
import type { ProjectRow } from '../table.ts';

/** Projects know no portfolios: their feature says here what a project holds, if it is one and the caller may see it. */
export const portfolioMeta = appState(() => ({
  of: async (_ctx: Context, _project: ProjectRow): Promise<PortfolioMeta | null> => null,
}));
