/** Apart from the schemas: the browser needs these and no zod. 1 unit is 1 US cent. */
export const walletKinds = [
  'top_up',
  'return',
  'manual',
  'voucher',
  'welcoming_bonus',
  'referral',
  'trial_expiry_adjustment',
  'subscription',
  'refund',
  'execution_time_extension',
  'service_usage',
  'transfer',
  'reversal',
] as const;
export type WalletKind = (typeof walletKinds)[number];

export const voucherApprovals = ['approved', 'waiting', 'rejected'] as const;

/** At once; a larger amount is a slip. */
export const mostUnits = 100_000_000;
