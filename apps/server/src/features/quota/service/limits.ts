import {
  type ComputeTier,
  guestExecutionHours,
  guestLongestRunHours,
  planExecutionHours,
  planLongestRunHours,
  planTier,
  tiersUpTo,
} from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { UserRow } from '../../users/table.ts';

type Planned = Pick<UserRow, 'role' | 'isGuest' | 'plan'>;

const hour = 60 * 60_000;
const inMs = (hours: number | null) => (hours === null ? null : hours * hour);

/** How much somebody may use in a period; null is without limit. */
export function executionLimit({ role, isGuest, plan }: Planned): number | null {
  if (role === 'admin') return null;
  return inMs(isGuest ? guestExecutionHours : planExecutionHours[plan]);
}

/** The same for the `users` row `u` of a statement: a plan that changes meanwhile cannot be missed. */
export const executionLimitSql: SQL = sql`(case when u.role = 'admin' then null when u.is_guest then ${inMs(guestExecutionHours)}::bigint else case u.plan ${sql.join(
  Object.entries(planExecutionHours).map(([plan, hours]) => sql`when ${plan} then ${inMs(hours)}::bigint`),
  sql` `,
)} end end)`;

export interface RunLimits {
  /** Null is without limit. */
  longestRunMs: number | null;
  tier: ComputeTier;
  /** What may be chosen: one's own tier and the smaller ones. */
  tiers: ComputeTier[];
}

export function runLimitsOf({ role, isGuest, plan }: Planned): RunLimits {
  if (role === 'admin') return { longestRunMs: null, tier: 'l3', tiers: tiersUpTo('l3') };
  const tier = isGuest ? 'l1' : planTier[plan];
  const longestRunMs = inMs(isGuest ? guestLongestRunHours : planLongestRunHours[plan]);
  return { longestRunMs, tier, tiers: tiersUpTo(tier) };
}
