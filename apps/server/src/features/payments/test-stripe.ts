import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const testStripeKey = 'sk_test_51';
export const testStripeSecret = 'whsec_test';

interface Checkout {
  id: string;
  url: string;
  paymentId: string;
  fields: URLSearchParams;
}

const signed = (body: string, time: number, secret: string) =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

/**
 * As much of Stripe as is used here: it refuses requests that the real one would refuse, shows a page where one pays, and
 * sends signed events. The signature is made by hand, so that the library is not checked with itself.
 */
export async function startTestStripe() {
  const checkouts = new Map<string, Checkout>();
  const byKey = new Map<string, { body: string; id: string }>();
  const refusals: string[] = [];
  /** Where the page sends the event when somebody pays; tests that send events themselves leave it. */
  let webhook: string | null = null;
  let isDown = false;
  let count = 0;

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      refusals.push(String(error));
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '/', url);
    let body = '';
    for await (const part of request) body += part;
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const refuse = (status: number, message: string) => {
      refusals.push(message);
      json(status, { error: { type: 'invalid_request_error', message } });
    };
    if (isDown) return void json(503, { error: { type: 'api_error', message: 'down' } });
    const [, pay, checkoutId = '', act] = address.pathname.split('/');
    if (pay === 'pay') return payPage(response, checkouts.get(checkoutId), act);
    if (request.headers.authorization !== `Bearer ${testStripeKey}`) return refuse(401, 'Invalid API key');
    if (!request.headers['stripe-version']) return refuse(400, 'No API version');
    const intent = /^\/v1\/payment_intents\/(\w+)$/.exec(address.pathname)?.[1];
    if (intent) {
      const checkout = [...checkouts.values()].find(({ paymentId }) => paymentId === intent);
      if (!checkout) return refuse(404, `No such payment_intent: ${intent}`);
      const purchase_id = checkout.fields.get('payment_intent_data[metadata][purchase_id]');
      return void json(200, { id: intent, object: 'payment_intent', metadata: { purchase_id } });
    }
    if (request.method !== 'POST' || address.pathname !== '/v1/checkout/sessions') return refuse(404, 'Unknown');
    const key = String(request.headers['idempotency-key'] ?? '');
    const before = byKey.get(key);
    if (before && before.body !== body) return refuse(400, 'Keys for idempotent requests can only be used once');
    const fields = new URLSearchParams(body);
    const problem = problemOf(request, fields, key);
    if (problem) return refuse(400, problem);
    const id = before?.id ?? `cs_test_${++count}`;
    byKey.set(key, { body, id });
    const checkout = { id, url: `${url}/pay/${id}`, paymentId: `pi_${id.slice(8)}`, fields };
    checkouts.set(id, checkout);
    json(200, { id, object: 'checkout.session', url: checkout.url });
  }

  function problemOf(request: IncomingMessage, fields: URLSearchParams, key: string): string | null {
    const amount = Number(fields.get('line_items[0][price_data][unit_amount]'));
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') return 'Not a form';
    if (!key) return 'No idempotency key';
    if (fields.get('mode') !== 'payment') return 'Unknown mode';
    if (!Number.isInteger(amount) || amount < 50 || amount > 99_999_999) return 'Invalid unit_amount';
    if (fields.get('line_items[0][price_data][currency]') !== 'usd') return 'Invalid currency';
    if (fields.get('line_items[0][quantity]') !== '1') return 'Invalid quantity';
    if (!fields.get('line_items[0][price_data][product_data][name]')) return 'No product';
    if (!URL.canParse(fields.get('success_url') ?? '')) return 'Not a valid URL';
    return null;
  }

  async function payPage(response: ServerResponse, checkout: Checkout | undefined, act: string | undefined) {
    if (!checkout) return void response.writeHead(404).end('No such page');
    if (act === 'done' || act === 'wait') {
      if (act === 'done' && webhook) await send(webhook, paid(checkout));
      return void response.writeHead(303, { location: checkout.fields.get('success_url') ?? '' }).end();
    }
    if (act === 'cancel')
      return void response.writeHead(303, { location: checkout.fields.get('cancel_url') ?? '' }).end();
    const name = checkout.fields.get('line_items[0][price_data][product_data][name]');
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<title>Pay</title><h1>${name}</h1><a href="/pay/${checkout.id}/done">Pay</a> <a href="/pay/${checkout.id}/wait">Pay by transfer</a> <a href="/pay/${checkout.id}/cancel">Cancel</a>`,
    );
  }

  /** What Stripe says once somebody has paid. */
  function paid(checkout: Checkout, type = 'checkout.session.completed', over: object = {}) {
    const purchase_id = checkout.fields.get('metadata[purchase_id]');
    return eventOf(type, {
      id: checkout.id,
      object: 'checkout.session',
      client_reference_id: purchase_id,
      metadata: { purchase_id },
      payment_intent: checkout.paymentId,
      payment_status: 'paid',
      amount_total: Number(checkout.fields.get('line_items[0][price_data][unit_amount]')),
      currency: 'usd',
      ...over,
    });
  }

  const eventOf = (type: string, object: object) => ({
    id: `evt_${++count}`,
    object: 'event',
    type,
    data: { object },
  });

  async function send(to: string, event: object, options: { time?: number; secret?: string } = {}): Promise<number> {
    const body = JSON.stringify(event);
    const time = Math.floor((options.time ?? Date.now()) / 1_000);
    const signature = signed(body, time, options.secret ?? testStripeSecret);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    return (await fetch(to, { method: 'POST', headers, body })).status;
  }

  return {
    url,
    env: {
      STRIPE_SECRET_KEY: testStripeKey,
      STRIPE_WEBHOOK_SECRET: testStripeSecret,
      STRIPE_API_URL: url,
    },
    checkouts,
    refusals,
    paid,
    send,
    signed,
    refunded: ({ paymentId, fields }: Checkout, amount_refunded: number) =>
      eventOf('charge.refunded', {
        object: 'charge',
        payment_intent: paymentId,
        amount_refunded,
        metadata: { purchase_id: fields.get('payment_intent_data[metadata][purchase_id]') },
      }),
    disputed: ({ paymentId }: Checkout, amount: number, status: 'needs_response' | 'won' | 'lost') =>
      eventOf(status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', {
        object: 'dispute',
        payment_intent: paymentId,
        amount,
        status,
      }),
    other: () => eventOf('customer.created', { object: 'customer' }),
    set webhook(address: string) {
      webhook = address;
    },
    set isDown(down: boolean) {
      isDown = down;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
