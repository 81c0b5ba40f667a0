import type { EventHandlers } from '../../platform/events/relay.ts';
import { tellPeople } from './service/tell.ts';

export const planEvents: EventHandlers = {
  'rate_plan.changed': (ctx, { name }) => ctx.write(async (write) => void (await tellPeople(write, { name }))),
  'role.changed': (ctx, { role_id, user_ids }) =>
    ctx.write(async (write) => void (await tellPeople(write, user_ids ? { user_ids } : { role_id }))),
  'user.access_changed': (ctx, { user_id }) =>
    ctx.write(async (write) => void (await tellPeople(write, { user_ids: [user_id] }))),
};
