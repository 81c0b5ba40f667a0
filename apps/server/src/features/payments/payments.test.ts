import type { BalanceEntry, UnitPurchase, UnitPurchaseInfo } from '@atoll/contract';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp } from '../../test/test-app.ts';
import { wrongWallets } from '../wallet/service/entries.ts';
import { moveUnits } from '../wallet/service/units.ts';
import { wrongPurchases } from './service/proof.ts';
import { paymentEvents, unitPurchases } from './table.ts';
import { startTestStripe } from './test-stripe.ts';

const path = '/v1/wallet/unit_purchase';

async function createPaymentsApp(provider: 'stripe' | 'manual') {
  const stripe = await startTestStripe();
  onTestFinished(() => stripe.close());
  const app = await createTestApp(provider === 'stripe' ? { env: stripe.env } : {});
  const { ctx, db, settled } = app;
  return {
    ...app,
    stripe,
    open: (token: string, units: number, request_id = newId()) =>
      app.call<UnitPurchase>('POST', `${path}/session`, { token, body: { units, request_id } }),
    /** Buys and answers what Stripe knows of it; nothing is paid yet. */
    async checkout(token: string, units: number) {
      await app.call('POST', `${path}/session`, { token, body: { units } });
      const [checkout] = [...stripe.checkouts.values()].slice(-1);
      if (!checkout) throw new Error('No page was opened');
      return checkout;
    },
    async news(event: object, { time = app.clock.time, secret }: { time?: number; secret?: string } = {}) {
      const payload = JSON.stringify(event);
      const signature = stripe.signed(payload, Math.floor(time / 1_000), secret ?? stripe.env.STRIPE_WEBHOOK_SECRET);
      const answer = await app.call('POST', '/v1/payments/stripe/events', {
        body: payload,
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      });
      await settled();
      return answer.status;
    },
    entries: async (token: string) =>
      (await app.call<{ entries: BalanceEntry[] }>('GET', '/v1/wallet', { token })).body.entries,
    purchase: async (token: string, id: string) =>
      (await app.call<UnitPurchase>('GET', `${path}/${id}`, { token })).body,
    async spend(userId: string, amount: number) {
      await ctx.write((write) =>
        moveUnits(ctx, write, { userId, amount: -amount, kind: 'subscription', key: newId(), note: 'Plan' }),
      );
    },
    async give(userId: string, amount: number) {
      await ctx.write((write) => moveUnits(ctx, write, { userId, amount, kind: 'manual', key: newId(), note: 'Gift' }));
      await settled();
    },
    async expectSound() {
      expect(await wrongWallets(db)).toEqual([]);
      expect(await wrongPurchases(db)).toEqual([]);
      expect(stripe.refusals).toEqual([]);
    },
  };
}

test.each(['stripe', 'manual'] as const)('%s says how to get units, and moves none without proof', async (provider) => {
  const app = await createPaymentsApp(provider);
  const { token } = await app.person();
  const { body } = await app.call<UnitPurchaseInfo>('GET', path, { token });
  expect(body).toMatchObject({ provider, is_available: provider === 'stripe', currency: 'usd', unit_price: 1 });
  expect(body.message.length).toBeGreaterThan(20);
  for (const units of [0, -100, 99, 100.5, 1e12, '100', null])
    expect((await app.open(token, units as number)).status, String(units)).toBe(422);
  const opened = await app.open(token, 500);
  if (provider === 'stripe') expect(opened.body).toMatchObject({ units: 500, state: 'pending' });
  else expect(opened).toMatchObject({ status: 403, body: { details: { reason: 'disabled_in_configuration' } } });
  const forged = { id: 'evt_1', object: 'event', type: 'checkout.session.completed', data: { object: {} } };
  expect(await app.news(forged, { secret: 'whsec_guess' })).toBe(provider === 'stripe' ? 401 : 404);
  expect((await app.call('POST', '/v1/payments/stripe/events', { body: forged })).status).toBeGreaterThan(400);
  expect(await app.balance(token)).toBe(0);
  // What an admin credits and a voucher bring are there with both.
  const admin = await app.admin();
  const voucher = await app.post<{ code: string }>(admin.token, '/v1/admin/vouchers', { units: 70 });
  await app.call('POST', '/v1/wallet/vouchers/redeem', { token, body: { code: voucher.body.code } });
  expect(await app.balance(token)).toBe(70);
  await app.expectSound();
});

test('units are added once when Stripe says they are paid, however often it says so', async () => {
  const app = await createPaymentsApp('stripe');
  const { token, email } = await app.person();
  const checkout = await app.checkout(token, 2_900);
  expect(Object.fromEntries(checkout.fields)).toMatchObject({
    mode: 'payment',
    customer_email: email,
    'line_items[0][price_data][unit_amount]': '2900',
    'line_items[0][price_data][product_data][name]': '2,900 units',
  });
  const id = checkout.fields.get('client_reference_id') ?? '';
  expect(checkout.fields.get('success_url')).toBe(`http://localhost:4000/wallet?purchase=${id}`);
  expect(await app.purchase(token, id)).toMatchObject({ state: 'pending', url: checkout.url });
  const event = app.stripe.paid(checkout);
  expect(await Promise.all(Array.from({ length: 20 }, () => app.news(event)))).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  // Another event about the same payment adds nothing either.
  expect(await app.news(app.stripe.paid(checkout, 'checkout.session.async_payment_succeeded'))).toBe(200);
  expect(await app.balance(token)).toBe(2_900);
  expect(await app.entries(token)).toMatchObject([{ kind: 'top_up', amount: 2_900, type: 'credit' }]);
  expect(await app.purchase(token, id)).toMatchObject({ state: 'paid', url: null });
  await app.expectSound();
});

test('50 requests with one id open one page; the id with another amount is refused', async () => {
  const app = await createPaymentsApp('stripe');
  const { token } = await app.person();
  const request = newId();
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.open(token, 500, request)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.url}`)).size).toBe(1);
  expect(app.stripe.checkouts.size).toBe(1);
  expect((await app.open(token, 600, request)).status).toBe(409);
  expect(await app.db.select().from(unitPurchases)).toHaveLength(1);
});

test('forged, old and changed events are refused and leave nothing', async () => {
  const app = await createPaymentsApp('stripe');
  const { token } = await app.person();
  const event = app.stripe.paid(await app.checkout(token, 500));
  const minute = 60_000;
  expect(await app.news(event, { secret: 'whsec_other' })).toBe(401);
  expect(await app.news(event, { time: app.clock.time - 6 * minute })).toBe(401);
  const body = JSON.stringify(event);
  const signature = app.stripe.signed(body, Math.floor(app.clock.time / 1_000), app.stripe.env.STRIPE_WEBHOOK_SECRET);
  for (const [sent, header] of [
    [body.replace('500', '900'), signature],
    [body, ''],
    [body, 't=1,v1=abc'],
    ['{}', signature],
    ['', signature],
  ] as const)
    expect(
      (
        await app.call('POST', '/v1/payments/stripe/events', {
          body: sent,
          headers: { 'content-type': 'application/json', 'stripe-signature': header },
        })
      ).status,
    ).toBe(401);
  expect(await app.db.select().from(paymentEvents)).toEqual([]);
  expect(await app.balance(token)).toBe(0);
  // Sent again, signed anew, it counts: four minutes late is not old.
  expect(await app.news(event, { time: app.clock.time - 4 * minute })).toBe(200);
  expect(await app.balance(token)).toBe(500);
});

test('whatever order the events come in, the wallet ends with what was paid and not returned', async () => {
  const app = await createPaymentsApp('stripe');
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 0, 3, 2],
    [2, 3, 0, 1],
  ];
  for (const order of orders) {
    const { token } = await app.person();
    const checkout = await app.checkout(token, 1_000);
    const events = [
      app.stripe.paid(checkout),
      app.stripe.refunded(checkout, 300),
      app.stripe.disputed(checkout, 700, 'needs_response'),
      app.stripe.disputed(checkout, 700, 'won'),
    ];
    for (const index of order) expect(await app.news(events[index] ?? {})).toBe(200);
    expect(await app.balance(token), String(order)).toBe(700);
  }
  await app.expectSound();
});

test('a dispute takes units back at once; one that is lost keeps them, one that is won returns them', async () => {
  const app = await createPaymentsApp('stripe');
  const { token } = await app.person();
  const checkout = await app.checkout(token, 1_000);
  const id = checkout.fields.get('client_reference_id') ?? '';
  await app.news(app.stripe.paid(checkout));
  await app.news(app.stripe.disputed(checkout, 1_000, 'needs_response'));
  expect(await app.balance(token)).toBe(0);
  expect(await app.purchase(token, id)).toMatchObject({ state: 'disputed' });
  await app.news(app.stripe.disputed(checkout, 1_000, 'won'));
  expect(await app.balance(token)).toBe(1_000);
  expect((await app.entries(token)).map(({ kind }) => kind)).toEqual(['reversal', 'return', 'top_up']);
  const second = await app.checkout(token, 500);
  await app.news(app.stripe.paid(second));
  await app.news(app.stripe.disputed(second, 500, 'lost'));
  expect(await app.balance(token)).toBe(1_000);
  await app.expectSound();
});

test('a payment returned after its units were spent takes what is there, and the rest of what comes in', async () => {
  const app = await createPaymentsApp('stripe');
  const { id, token } = await app.person();
  await app.give(id, 100);
  const checkout = await app.checkout(token, 1_000);
  await app.news(app.stripe.paid(checkout));
  await app.spend(id, 900);
  // A bonus came meanwhile: 200 are there, 1,000 are returned.
  await app.news(app.stripe.refunded(checkout, 1_000));
  expect(await app.balance(token)).toBe(0);
  await app.give(id, 300);
  expect(await app.balance(token)).toBe(0);
  await app.give(id, 600);
  expect(await app.balance(token)).toBe(100);
  await app.give(id, 50);
  expect(await app.balance(token)).toBe(150);
  await app.expectSound();
});

test('a page that expires, a payment that fails, one that comes later, and one that is not ours', async () => {
  const app = await createPaymentsApp('stripe');
  const { token } = await app.person();
  const later = await app.checkout(token, 500);
  const laterId = later.fields.get('client_reference_id') ?? '';
  // Completed by transfer: the money is not there yet.
  await app.news(app.stripe.paid(later, 'checkout.session.completed', { payment_status: 'unpaid' }));
  expect(await app.purchase(token, laterId)).toMatchObject({ state: 'pending' });
  expect(await app.balance(token)).toBe(0);
  await app.news(app.stripe.paid(later, 'checkout.session.async_payment_failed', { payment_status: 'unpaid' }));
  expect(await app.purchase(token, laterId)).toMatchObject({ state: 'failed', url: null });
  const expired = await app.checkout(token, 500);
  await app.news(app.stripe.paid(expired, 'checkout.session.expired', { payment_status: 'unpaid' }));
  const expiredId = expired.fields.get('client_reference_id') ?? '';
  expect(await app.purchase(token, expiredId)).toMatchObject({ state: 'expired' });
  // Paid in the last moment: what was paid counts, whatever came before.
  await app.news(app.stripe.paid(expired));
  expect(await app.purchase(token, expiredId)).toMatchObject({ state: 'paid' });
  expect(await app.balance(token)).toBe(500);
  expect(await app.news(app.stripe.other())).toBe(200);
  for (const over of [
    { metadata: {}, client_reference_id: null, payment_intent: null },
    { amount_total: 1 },
    { currency: 'eur' },
  ]) {
    const cheap = await app.checkout(token, 500);
    expect(await app.news(app.stripe.paid(cheap, 'checkout.session.completed', over))).toBe(200);
  }
  expect(await app.balance(token)).toBe(500);
  const stranger = await app.person();
  expect((await app.call('GET', `${path}/${laterId}`, { token: stranger.token })).status).toBe(404);
  await app.expectSound();
});

test('Stripe that does not answer is said so, and the request can be sent again', async () => {
  const app = await createPaymentsApp('stripe');
  const { token } = await app.person();
  const request = newId();
  app.stripe.isDown = true;
  expect((await app.open(token, 500, request)).status).toBe(502);
  app.stripe.isDown = false;
  expect(await app.open(token, 500, request)).toMatchObject({ status: 200, body: { state: 'pending' } });
  expect(app.stripe.checkouts.size).toBe(1);
});
