import type { EndpointFields, StrategyRunView } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { checkLiveScope } from '../../trading/service/connections.ts';
import type { RunRow } from '../table.ts';
import { preparedClosing } from './closing.ts';
import { refuseOpen } from './decisions.ts';
import { exchangeOf, setRunState, viewRun } from './runs.ts';

const nextState = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;

/** Of a run of the caller. */
export async function changeRun(
  ctx: Context,
  run: RunRow,
  change: EndpointFields<'strategies', 'changeRun'>,
): Promise<StrategyRunView> {
  if (run.endedAt) throw new AppError('conflict', 'This run has ended.');
  const isTrading = change.action === 'resume' || (change.action === 'stop' && change.closes_positions);
  if (isTrading) checkLiveScope(ctx, exchangeOf(run.settings));
  const close = change.action === 'stop' && change.closes_positions ? await preparedClosing(ctx, run) : null;
  await ctx.write(async (write) => {
    // First: from here on nothing more is decided.
    await setRunState(ctx, write, run, nextState[change.action], null);
    if (close) await close(write);
    else if (change.action !== 'resume')
      await refuseOpen(write, run.id, 'It was not ordered before the run was ended or paused.');
  });
  return viewRun(ctx, run.id);
}
