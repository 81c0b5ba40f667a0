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

/** How many projects each plan has room for; null is without limit. Guests may try with one. */
export const planProjects: Record<PlanName, number | null> = {
  Free: 5,
  Starter: 25,
  Pro: 100,
  Expert: 500,
  Enterprise: null,
};
export const guestProjects = 1;
