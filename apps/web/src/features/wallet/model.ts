import { type WalletKind, walletKinds } from '@atoll/contract/wallet/values';

export interface WalletSearch {
  kind?: WalletKind;
  /** Days, as a date field holds them. */
  from?: string;
  to?: string;
  /** The payment that one comes back from, and whether it was left. */
  purchase?: string;
  canceled?: boolean;
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/i.test(value);

export function parseWalletSearch({ kind, from, to, purchase, canceled }: Record<string, unknown>): WalletSearch {
  return {
    ...(walletKinds.includes(kind as WalletKind) ? { kind: kind as WalletKind } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(isId(purchase) ? { purchase } : {}),
    ...(canceled === true ? { canceled } : {}),
  };
}

/** Days of the reader's own calendar; the last one is included. */
export function walletFilterOf({ kind, from, to }: WalletSearch) {
  const end = to && new Date(`${to}T00:00`);
  if (end) end.setDate(end.getDate() + 1);
  return {
    ...(kind ? { kind } : {}),
    ...(from ? { from: new Date(`${from}T00:00`).toISOString() } : {}),
    ...(end ? { to: end.toISOString() } : {}),
  };
}

export const kindWords: Record<WalletKind, string> = {
  top_up: 'Units bought',
  return: 'Payment returned',
  manual: 'Added by an admin',
  voucher: 'Voucher',
  welcoming_bonus: 'Welcome bonus',
  referral: 'Referral',
  trial_expiry_adjustment: 'End of trial',
  subscription: 'Subscription',
  refund: 'Refund',
  execution_time_extension: 'Execution time',
  service_usage: 'Usage',
  transfer: 'Transfer',
  reversal: 'Correction',
};

export const unitWords = (amount: number): string =>
  `${amount.toLocaleString('en')} ${Math.abs(amount) === 1 ? 'unit' : 'units'}`;

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
export const priceWords = (cents: number): string => dollars.format(cents / 100);
