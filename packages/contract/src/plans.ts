import type { FeatureOverrides } from './features.ts';

/** The seeded rate plans (decisions, "Numbers"); prices in units, execution in hours a month. */
export const planNames = ['Free', 'Starter', 'Pro', 'Expert', 'Enterprise'] as const;
export type PlanName = (typeof planNames)[number];

export const defaultPlan: PlanName = 'Free';

export const computeTiers = ['l1', 'l2', 'l3'] as const;
export type ComputeTier = (typeof computeTiers)[number];

/** What code may use at once. */
export const tierResources: Record<ComputeTier, { cores: number; memoryBytes: number }> = {
  l1: { cores: 1, memoryBytes: 2 * 1024 ** 3 },
  l2: { cores: 2, memoryBytes: 8 * 1024 ** 3 },
  l3: { cores: 4, memoryBytes: 16 * 1024 ** 3 },
};

/** A tier and the smaller ones: what may be chosen by whom has it. */
export const tiersUpTo = (tier: ComputeTier): ComputeTier[] => computeTiers.slice(0, computeTiers.indexOf(tier) + 1);

/** What a plan includes; null is without limit. */
export interface PlanLimits {
  projects: number | null;
  /** Of execution, a month. */
  executionHours: number | null;
  /** Of a single run. */
  longestRunHours: number | null;
  tier: ComputeTier;
  /** What the plan takes away; roles and the server's configuration come on top. */
  features: FeatureOverrides;
}

export const limitNames = ['projects', 'execution_hours', 'longest_run_hours', 'tier'] as const;
export type LimitName = (typeof limitNames)[number];
/** What a role raises; null is without limit. */
export interface RoleLimits {
  projects?: number | null | undefined;
  execution_hours?: number | null | undefined;
  longest_run_hours?: number | null | undefined;
  tier?: ComputeTier | undefined;
}

const planFields = {
  projects: 'projects',
  execution_hours: 'executionHours',
  longest_run_hours: 'longestRunHours',
  tier: 'tier',
} as const;
const rankOf = (value: number | ComputeTier | null) =>
  value === null ? Number.POSITIVE_INFINITY : typeof value === 'number' ? value : computeTiers.indexOf(value);

/** The highest of a plan and roles, and which role it comes from; of equals, the plan. */
export function explainLimit(name: LimitName, plan: PlanLimits, roles: RoleLimits[]) {
  let best: { value: number | ComputeTier | null; roleIndex?: number } = { value: plan[planFields[name]] };
  for (const [roleIndex, limits] of roles.entries()) {
    const value = limits[name];
    if (value !== undefined && rankOf(value) > rankOf(best.value)) best = { value, roleIndex };
  }
  return best;
}

export const raiseLimits = <Plan extends PlanLimits>(plan: Plan, roles: RoleLimits[]): Plan => ({
  ...plan,
  ...Object.fromEntries(limitNames.map((name) => [planFields[name], explainLimit(name, plan, roles).value])),
});

interface SeededPlan extends PlanLimits {
  /** In units; null is by agreement. */
  price: number | null;
  annualPrice: number | null;
}

const small: FeatureOverrides = { gpu: false, environments: false };

/** From the first start on plans are the admins'. */
export const seededPlans: Record<PlanName, SeededPlan> = {
  Free: {
    price: 0,
    annualPrice: 0,
    projects: 5,
    executionHours: 10,
    longestRunHours: 1,
    tier: 'l1',
    features: small,
  },
  Starter: {
    price: 900,
    annualPrice: 9_000,
    projects: 25,
    executionHours: 50,
    longestRunHours: 4,
    tier: 'l1',
    features: small,
  },
  Pro: {
    price: 2_900,
    annualPrice: 29_000,
    projects: 100,
    executionHours: 200,
    longestRunHours: 12,
    tier: 'l2',
    features: {},
  },
  Expert: {
    price: 9_900,
    annualPrice: 99_000,
    projects: 500,
    executionHours: 1_000,
    longestRunHours: 24,
    tier: 'l3',
    features: {},
  },
  Enterprise: {
    price: null,
    annualPrice: null,
    projects: null,
    executionHours: null,
    longestRunHours: null,
    tier: 'l3',
    features: {},
  },
};

/** In all, for as long as one is a guest. */
export const guestLimits: PlanLimits = {
  projects: 1,
  executionHours: 1,
  longestRunHours: 1,
  tier: 'l1',
  features: small,
};
