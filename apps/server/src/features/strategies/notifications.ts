import { eq } from 'drizzle-orm';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { tell } from '../notifications/service/notify.ts';
import { strategyRuns } from './table.ts';

/** What happened to a run without its owner's doing. */
export const strategiesNotifications: EventHandlers = {
  'strategy.run_changed': async (ctx, { run_id, project_id, state }) => {
    const [run] = await ctx.db.select().from(strategyRuns).where(eq(strategyRuns.id, run_id));
    const isOurs = state === 'failed' || state === 'paused';
    if (!run?.reason || !isOurs || run.state !== state) return;
    await tell(ctx, [run.ownerId], {
      type: state === 'failed' ? 'strategy_failed' : 'strategy_paused',
      actorId: null,
      projectId: project_id,
      metadata: { reason: run.reason.slice(0, 300) },
      key: `strategy:${run_id}:${state}`,
    });
  },
};
