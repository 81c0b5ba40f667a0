import { type AdminUserDetail, explainFeature, explainLimit, featureNames, limitNames } from '@atoll/contract';
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { anonymous } from '../../../platform/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { flagInputs } from '../../../platform/flags/settings.ts';
import { apiKeys } from '../../api-keys/table.ts';
import { files } from '../../files/table.ts';
import { kernelSessions } from '../../kernels/table.ts';
import type { OwnPlan } from '../../plans/table.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { projectCount, projectLimit } from '../../projects/service/write.ts';
import { projects } from '../../projects/table.ts';
import { executionLimit, runLimitsOf } from '../../quota/service/limits.ts';
import { sessions } from '../../sessions/table.ts';
import { teamMembers } from '../../teams/table.ts';
import { findUserWithRoles, type PlannedUser, personOf } from '../../users/service.ts';
import type { RoleRow } from '../../users/table.ts';
import { adminUserView } from '../view.ts';

export async function userDetail(ctx: Context, id: string): Promise<AdminUserDetail> {
  const found = await findUserWithRoles(ctx.db, id);
  if (!found) throw notFound('This account');
  const { user, plan, roles, trial } = found;
  return {
    ...adminUserView(user, roles, new Map([[user.plan, user.limits.title]])),
    suspension: user.suspendedAt && {
      suspended_at: user.suspendedAt.toISOString(),
      message: user.suspensionMessage,
    },
    features: user.features,
    effective_features: effectiveFeatures(ctx, user, roles),
    effective_limits: effectiveLimits(user, plan, roles),
    ...(await countsOf(ctx, id)),
    user_source: user.userSource,
    referral_code: user.referralCode,
    referred_by: user.referredBy,
    managed_by: user.managedBy,
    sessions: await openSessions(ctx, id),
    trial: trial && !trial.endedAt ? { expires_at: trial.expiresAt.toISOString() } : null,
  };
}

function effectiveFeatures(ctx: Context, user: PlannedUser, roles: RoleRow[]): AdminUserDetail['effective_features'] {
  const inputs = flagInputs(ctx, { ...anonymous, ...personOf(user) });
  return featureNames.map((name) => {
    const { enabled, source, roleIndex } = explainFeature(name, inputs);
    const roleName = roleIndex === undefined ? null : (roles[roleIndex]?.name ?? null);
    return { name, is_enabled: enabled, source, source_name: source === 'plan' ? user.limits.title : roleName };
  });
}

function effectiveLimits(user: PlannedUser, plan: OwnPlan, roles: RoleRow[]): AdminUserDetail['effective_limits'] {
  const { longestRunMs, tier } = runLimitsOf(user);
  const fixed = user.role === 'admin' ? 'admin' : user.isGuest ? 'guest' : null;
  const inHours = (ms: number | null) => (ms === null ? null : ms / 3_600_000);
  if (fixed) {
    const values = {
      projects: projectLimit(user),
      execution_hours: inHours(executionLimit(user)),
      longest_run_hours: inHours(longestRunMs),
      tier,
    };
    return limitNames.map((name) => ({ name, value: values[name], source: fixed, source_name: null }));
  }
  return limitNames.map((name) => {
    const { value, roleIndex } = explainLimit(
      name,
      plan,
      roles.map(({ limits }) => limits),
    );
    if (roleIndex === undefined) return { name, value, source: 'plan', source_name: plan.title };
    return { name, value, source: 'role', source_name: roles[roleIndex]?.name ?? null };
  });
}

async function countsOf(ctx: Context, id: string) {
  const [stored] = await ctx.db
    .select({ bytes: sql<number>`coalesce(sum(${files.size}), 0)::float8` })
    .from(files)
    .innerJoin(projects, eq(projects.id, files.projectId))
    .where(eq(projects.ownerId, id));
  return {
    projects_count: await projectCount(ctx.db, id),
    teams_count: await ctx.db.$count(teamMembers, eq(teamMembers.userId, id)),
    api_keys_count: await ctx.db.$count(apiKeys, and(eq(apiKeys.userId, id), isNull(apiKeys.revokedAt))),
    kernels_count: await ctx.db.$count(
      kernelSessions,
      and(eq(kernelSessions.userId, id), isNull(kernelSessions.endedAt)),
    ),
    files_bytes: stored?.bytes ?? 0,
  };
}

async function openSessions(ctx: Context, userId: string): Promise<AdminUserDetail['sessions']> {
  const open = and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, ctx.now()));
  const rows = await ctx.db.select().from(sessions).where(open).orderBy(desc(sessions.lastSeenAt)).limit(50);
  const people = await loadPeopleOf(ctx.db, rows, ({ actorId }) => actorId);
  return rows.map((row) => ({
    id: row.id,
    method: row.method,
    ip: row.ip,
    user_agent: row.userAgent,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.lastSeenAt.toISOString(),
    masked_by: people.get(row.actorId ?? '') ?? null,
  }));
}
