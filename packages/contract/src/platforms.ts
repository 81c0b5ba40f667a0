/** The three variants of the product (spec section 1) and where each one lands. */
export const platforms = ['atoll', 'crypto', 'dpasa'] as const;
export type Platform = (typeof platforms)[number];

export const landingPath: Record<Platform, '/dashboard' | '/'> = {
  atoll: '/dashboard',
  crypto: '/dashboard',
  dpasa: '/',
};
