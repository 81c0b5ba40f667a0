/** Apart from the schemas: the browser needs these and no zod. 1 unit is 1 US cent. */
export const walletKinds = ['manual', 'voucher', 'subscription', 'refund', 'reversal'] as const;
export type WalletKind = (typeof walletKinds)[number];

/** At once; a larger amount is a slip. */
export const mostUnits = 100_000_000;
