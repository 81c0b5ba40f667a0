import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

export const subscriptionsDeclaration = declare({
  permissions: ['rate_plan.list', 'subscription.view', 'subscription.edit'],
  events: {
    'rate_plan.changed': z.object({ rate_plan_id: id, name: z.string() }),
    'billing_settings.changed': z.object({}),
    'subscription.changed': z.object({ user_id: id, change_id: id, kind: z.string(), notice: z.string().nullable() }),
    'subscription.due': z.object({ user_id: id, key: z.string(), notice: z.string() }),
  },
  personEvents: {
    subscription_changed: z.object({}).describe('Your plan or what follows it was changed'),
  },
});
