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
