import type { EventHandlers } from '../../platform/events/relay.ts';
import { tellPlan } from './service/tell.ts';

export const planEvents: EventHandlers = {
  'rate_plan.changed': (ctx, { name }) => ctx.write(async (write) => void (await tellPlan(write, name))),
};
