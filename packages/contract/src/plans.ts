/** The seeded rate plans (decisions, "Numbers"); prices in units, execution in hours a month. */
export const planNames = ['Free', 'Starter', 'Pro', 'Expert', 'Enterprise'] as const;
export type PlanName = (typeof planNames)[number];

export const computeTiers = ['l1', 'l2', 'l3'] as const;
export type ComputeTier = (typeof computeTiers)[number];

export const planTier: Record<PlanName, ComputeTier> = {
  Free: 'l1',
  Starter: 'l1',
  Pro: 'l2',
  Expert: 'l3',
  Enterprise: 'l3',
};

/** What code may use at once. */
export const tierResources: Record<ComputeTier, { cores: number; memoryBytes: number }> = {
  l1: { cores: 1, memoryBytes: 2 * 1024 ** 3 },
  l2: { cores: 2, memoryBytes: 8 * 1024 ** 3 },
  l3: { cores: 4, memoryBytes: 16 * 1024 ** 3 },
};

/** A tier and the smaller ones: what may be chosen by whom has it. */
export const tiersUpTo = (tier: ComputeTier): ComputeTier[] => computeTiers.slice(0, computeTiers.indexOf(tier) + 1);

/** Execution a month in hours; null is without limit. */
export const planExecutionHours: Record<PlanName, number | null> = {
  Free: 10,
  Starter: 50,
  Pro: 200,
  Expert: 1_000,
  Enterprise: null,
};
/** A guest's, in all. */
export const guestExecutionHours = 1;

/** The longest single run in hours; null is without limit. */
export const planLongestRunHours: Record<PlanName, number | null> = {
  Free: 1,
  Starter: 4,
  Pro: 12,
  Expert: 24,
  Enterprise: null,
};
export const guestLongestRunHours = 1;

/** In units, for a month and for a year; null is by agreement. */
export const planPrices: Record<PlanName, { monthly: number | null; yearly: number | null }> = {
  Free: { monthly: 0, yearly: 0 },
  Starter: { monthly: 900, yearly: 9_000 },
  Pro: { monthly: 2_900, yearly: 29_000 },
  Expert: { monthly: 9_900, yearly: 99_000 },
  Enterprise: { monthly: null, yearly: null },
};

/** How many projects each plan has room for; null is without limit. Guests may try with one. */
export const planProjects: Record<PlanName, number | null> = {
  Free: 5,
  Starter: 25,
  Pro: 100,
  Expert: 500,
  Enterprise: null,
};
export const guestProjects = 1;
