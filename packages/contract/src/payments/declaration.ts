import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';
import { purchaseStates } from './entity.ts';

const about = { purchase_id: id, state: z.enum(purchaseStates) };

export const paymentsDeclaration = declare({
  permissions: ['unit_purchase.view', 'unit_purchase.create', 'payment.notify'],
  events: { 'unit_purchase.changed': z.object({ user_id: id, ...about }) },
  personEvents: { purchase_changed: z.object(about).describe('A payment for units went on') },
});
