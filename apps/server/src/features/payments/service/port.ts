import type { UnitPurchaseInfo } from '@atoll/contract';

export interface Order {
  purchaseId: string;
  units: number;
  email: string | null;
  /** Where the person comes back to. */
  paidUrl: string;
  canceledUrl: string;
}

/** What a provider says of a payment. Amounts are in cents and the sum so far, so that order does not matter. */
export type PaymentFact =
  | { is: 'paid'; amount: number }
  | { is: 'failed' | 'expired' }
  | { is: 'refunded'; amount: number }
  | { is: 'disputed'; amount: number; state: 'open' | 'won' | 'lost' };

export interface PaymentNews {
  /** The same for what is sent again. */
  id: string;
  type: string;
  purchaseId: string | null;
  paymentId: string | null;
  /** Null: nothing that matters here. */
  fact: PaymentFact | null;
}

/** How units are paid for with money. */
export interface PaymentPort {
  provider: UnitPurchaseInfo['provider'];
  isAvailable: boolean;
  /** How to get units. */
  message: string;
  /** Opens a page where somebody pays; for the same purchase the same one. */
  openCheckout(order: Order): Promise<{ id: string; url: string }>;
  /** Reads what the provider sent; refuses what is forged or old. */
  readNews(sent: { body: string; signature: string; now: Date }): Promise<PaymentNews>;
  /** For news that name the payment alone. */
  purchaseOf(paymentId: string): Promise<string | null>;
}
