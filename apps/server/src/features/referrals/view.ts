import type { Referral } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import type { ReferralRow } from './table.ts';

export const referralUrl = ({ config }: Pick<Context, 'config'>, code: string): string =>
  `${config.url}/sign-up?referral_code=${encodeURIComponent(code)}`;

interface Counted {
  row: ReferralRow;
  owner: { id: string; user_name: string } | null;
  people: number;
  matched: number;
}

export const referralView = (ctx: Pick<Context, 'config'>, { row, owner, people, matched }: Counted): Referral => ({
  id: row.id,
  code: row.code,
  url: referralUrl(ctx, row.code),
  units: row.units,
  enabled: row.isEnabled,
  roles: row.roleIds,
  rate_plan_id: row.ratePlanId,
  trial_days: row.trialDays,
  default_kernel: row.defaultKernel,
  team_id: row.teamId,
  owner,
  expires_at: row.expiresAt?.toISOString() ?? null,
  user_count: people,
  users_matched: matched,
  created_at: row.createdAt.toISOString(),
});
