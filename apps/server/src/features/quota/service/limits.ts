import { type ComputeTier, guestLimits, tiersUpTo } from '@atoll/contract';
import { type SQL, sql } from 'drizzle-orm';
import { ratePlans } from '../../plans/table.ts';
import type { PlannedUser } from '../../users/service.ts';
import { roles, userRoles } from '../../users/table.ts';

type Planned = Pick<PlannedUser, 'role' | 'isGuest' | 'limits'>;

const hour = 60 * 60_000;
const inMs = (hours: number | null) => (hours === null ? null : hours * hour);

/** How much somebody may use in a period; null is without limit. */
export function executionLimit({ role, isGuest, limits }: Planned): number | null {
  return role === 'admin' ? null : inMs((isGuest ? guestLimits : limits).executionHours);
}

const ownHours = sql`(select p.execution_hours from ${ratePlans} p where p.name = u.plan)`;

/** The most of their roles, as numbers can be compared: -1 is without limit. */
const roleHours = sql`(select case when bool_or(r.limits -> 'execution_hours' = 'null') then -1
    else max((r.limits ->> 'execution_hours')::int) end from ${roles} r
  where r.limits ? 'execution_hours' and r.id = any(
    array(select ur.role_id from ${userRoles} ur where ur.user_id = u.id)
    || array(select jsonb_array_elements_text(p.role_ids)::uuid from ${ratePlans} p where p.name = u.plan)))`;

/** The same for the `users` row `u` of a statement: a plan that changes meanwhile cannot be missed. */
export const executionLimitSql: SQL = sql`(case
  when u.role = 'admin' then null
  when u.is_guest then ${inMs(guestLimits.executionHours)}::bigint
  when ${ownHours} is null and exists (select 1 from ${ratePlans} p where p.name = u.plan) then null
  when ${roleHours} = -1 then null
  else greatest(coalesce(${ownHours}, 0), coalesce(${roleHours}, 0)) * ${hour}::bigint end)`;

export interface RunLimits {
  /** Null is without limit. */
  longestRunMs: number | null;
  tier: ComputeTier;
  /** What may be chosen: one's own tier and the smaller ones. */
  tiers: ComputeTier[];
}

export function runLimitsOf({ role, isGuest, limits }: Planned): RunLimits {
  if (role === 'admin') return { longestRunMs: null, tier: 'l3', tiers: tiersUpTo('l3') };
  const { tier, longestRunHours } = isGuest ? guestLimits : limits;
  return { longestRunMs: inMs(longestRunHours), tier, tiers: tiersUpTo(tier) };
}
