import { eq } from 'drizzle-orm';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { notify } from '../notifications/service/notify.ts';
import { notifyFollowers } from './service/published.ts';
import { strategyRuns } from './table.ts';

const isOurs = (state: string): state is 'failed' | 'paused' | 'stopped' =>
  state === 'failed' || state === 'paused' || state === 'stopped';

/** What happened to a run without its owner's doing. */
export const strategiesNotifications: EventHandlers = {
  'strategy.run_changed': async (ctx, { run_id, project_id, state }) => {
    const [run] = await ctx.db.select().from(strategyRuns).where(eq(strategyRuns.id, run_id));
    if (!run?.reason || !isOurs(state) || run.state !== state) return;
    await notify(ctx, [run.ownerId], {
      type: `strategy_${state}`,
      actorId: null,
      projectId: project_id,
      metadata: { reason: run.reason.slice(0, 300) },
      key: `strategy:${run_id}:${state}:${run.lastBar}`,
    });
  },
  'strategy.ordered': (ctx, { decision_id }) => notifyFollowers(ctx, decision_id),
};
