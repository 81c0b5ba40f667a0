import type Stripe from 'stripe';
import type { Config } from '../../../config.ts';
import { AppError, unauthorized } from '../../../platform/errors.ts';
import type { PaymentFact, PaymentNews, PaymentPort } from './port.ts';

/** What is signed longer ago could be a recording; Stripe signs anew whatever it sends again. */
const toleranceSeconds = 300;

type Expandable = string | { id: string } | null;
const idOf = (value: Expandable) => (typeof value === 'string' ? value : (value?.id ?? null));

export function stripePayments({ secretKey, webhookSecret, apiUrl }: NonNullable<Config['stripe']>): PaymentPort {
  const { protocol, hostname, port } = new URL(apiUrl);
  // Two hundred modules, for those who sell something.
  const library = import('stripe').then(({ default: Stripe }) => Stripe);
  const client = library.then(
    (Stripe) =>
      new Stripe(secretKey, {
        protocol: protocol === 'http:' ? 'http' : 'https',
        host: hostname,
        port: port || (protocol === 'http:' ? 80 : 443),
        maxNetworkRetries: 2,
        timeout: 20_000,
        telemetry: false,
      }),
  );
  return {
    provider: 'stripe',
    isAvailable: true,
    message: 'You pay by card with Stripe. The units are in your wallet as soon as the payment is confirmed.',

    async openCheckout({ purchaseId, units, email, paidUrl, canceledUrl }) {
      const metadata = { purchase_id: purchaseId };
      const stripe = await client;
      const session = await stripe.checkout.sessions
        .create(
          {
            mode: 'payment',
            client_reference_id: purchaseId,
            ...(email ? { customer_email: email } : {}),
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: 'usd',
                  unit_amount: units,
                  product_data: { name: `${units.toLocaleString('en')} units` },
                },
              },
            ],
            metadata,
            // Refunds and disputes are about the payment, which knows nothing of the page.
            payment_intent_data: { metadata },
            success_url: paidUrl,
            cancel_url: canceledUrl,
          },
          { idempotencyKey: purchaseId },
        )
        .catch((error: unknown) => {
          throw unreachable(error);
        });
      if (!session.url) throw unreachable();
      return { id: session.id, url: session.url };
    },

    async readNews({ body, signature, now }) {
      const stripe = await client;
      try {
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          toleranceSeconds,
          undefined,
          now.getTime(),
        );
        return newsOf(event);
      } catch {
        throw unauthorized('The signature is not valid.');
      }
    },

    async purchaseOf(paymentId) {
      const [Stripe, stripe] = await Promise.all([library, client]);
      const intent = await stripe.paymentIntents.retrieve(paymentId).catch((error: unknown) => {
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return null;
        throw unreachable(error);
      });
      return intent?.metadata.purchase_id ?? null;
    },
  };
}

const unreachable = (cause?: unknown) =>
  Object.assign(new AppError('bad_gateway', 'The payment could not be started: Stripe did not answer. Try again.'), {
    cause,
  });

function newsOf(event: Stripe.Event): PaymentNews {
  const { id, type } = event;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired': {
      const session = event.data.object;
      return {
        id,
        type,
        purchaseId: session.metadata?.purchase_id ?? session.client_reference_id,
        paymentId: idOf(session.payment_intent),
        fact: sessionFact(event.type, session),
      };
    }
    case 'charge.refunded': {
      const { metadata, payment_intent, amount_refunded: amount } = event.data.object;
      const purchaseId = metadata.purchase_id ?? null;
      return { id, type, purchaseId, paymentId: idOf(payment_intent), fact: { is: 'refunded', amount } };
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const { amount, status, payment_intent } = event.data.object;
      const isOver = event.type === 'charge.dispute.closed';
      const state = isOver ? (status === 'lost' ? 'lost' : 'won') : 'open';
      return {
        id,
        type,
        purchaseId: null,
        paymentId: idOf(payment_intent),
        fact: { is: 'disputed', amount, state },
      };
    }
    default:
      return { id, type, purchaseId: null, paymentId: null, fact: null };
  }
}

function sessionFact(type: string, session: Stripe.Checkout.Session): PaymentFact | null {
  if (type === 'checkout.session.expired') return { is: 'expired' };
  if (type === 'checkout.session.async_payment_failed') return { is: 'failed' };
  // A page can be completed before the money has come, as with a transfer.
  return session.payment_status === 'paid' && session.currency === 'usd'
    ? { is: 'paid', amount: session.amount_total ?? 0 }
    : null;
}
