/** In units, at once. Less is not worth the provider's fee. */
export const leastPurchase = 100;
export const mostPurchase = 1_000_000;
