import { z } from 'zod';
import { endpoint, rawEndpoint } from '../endpoint.ts';
import { empty, id } from '../fields.ts';
import { unitPurchase, unitPurchaseInfo } from './entity.ts';
import { leastPurchase, mostPurchase } from './values.ts';

const about = { permission: 'unit_purchase.view', tag: 'Wallet', flag: 'wallet' } as const;

export const paymentEndpoints = {
  info: endpoint('GET', '/v1/wallet/unit_purchase', { ...about, summary: 'How units are bought here' })
    .input(empty)
    .output(unitPurchaseInfo),

  get: endpoint('GET', '/v1/wallet/unit_purchase/{id}', { ...about, summary: 'How a purchase of yours stands' })
    .input(z.strictObject({ id }))
    .output(unitPurchase),

  open: endpoint('POST', '/v1/wallet/unit_purchase/session', {
    ...about,
    permission: 'unit_purchase.create',
    keyScope: 'never',
    summary: 'Buy units',
    description:
      'Answers where to pay. The units are added when the provider confirms the payment. Sent again with the same `request_id`, it opens no second payment.',
  })
    .input(z.strictObject({ units: z.int().min(leastPurchase).max(mostPurchase), request_id: id.optional() }))
    .output(unitPurchase),
};

export const paymentRawEndpoints = {
  stripe: rawEndpoint('POST', '/v1/payments/stripe/events', {
    permission: 'payment.notify',
    keyScope: 'never',
    limit: 'read',
    tag: 'Integrations',
    summary: 'Where Stripe sends its signed events',
  }),
};
