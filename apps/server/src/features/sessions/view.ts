import {
  defaultPlan,
  type FeatureOverrides,
  type OpenSession,
  planFeatures,
  resolveFeatures,
  type Session,
  tiersUpTo,
} from '@atoll/contract';
import { anonymous } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { flagInputs } from '../../platform/flags/settings.ts';
import type { SubscriptionRow, TrialRow } from '../subscriptions/table.ts';
import { billingDates } from '../subscriptions/view.ts';
import { assetUrl } from '../uploads/view.ts';
import { type PlannedUser, personOf } from '../users/service.ts';
import { preferencesOf, type RoleRow } from '../users/table.ts';
import type { SessionRow } from './table.ts';

export function openSessionView(ctx: Context, session: SessionRow): OpenSession {
  return {
    id: session.id,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    user_agent: session.userAgent,
    ip: session.ip,
    is_current: session.id === ctx.actor.sessionId,
    permissions: ctx.permitted(['session.end'], session),
  };
}

/** Which of the parts asked for by `with_…` to include. */
export interface SessionParts {
  features?: boolean;
  roles?: boolean;
  preferences?: boolean;
  trial?: boolean;
  documentation?: boolean;
  github?: NonNullable<Session['github']>;
}

interface Subject {
  user: PlannedUser;
  roles: RoleRow[];
  trial: TrialRow | null;
  subscription: SubscriptionRow | null;
  nextPlan: string | null;
  /** How far the person's topic is. */
  position: number;
  token: string | null;
  /** The admin who acts as this user. */
  maskedById: string | null;
  authenticatedAt: Date | null;
  expiresAt: Date | null;
}

export function sessionView(ctx: Context, subject: Subject, parts: SessionParts): Session {
  const { user } = subject;
  const isAdmin = user.role === 'admin';
  const tier = isAdmin ? 'l3' : user.limits.tier;
  return {
    id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    user_name: user.userName,
    email: user.email,
    is_email_confirmed: user.emailConfirmedAt !== null,
    headline: user.headline,
    social_urls: user.socialUrls,
    company_name: user.companyName,
    company_position: user.companyPosition,
    signup_date: user.createdAt.toISOString(),
    active_date: user.activeAt.toISOString(),
    balance: user.balance,
    avatar: assetUrl(user.avatarAssetId),
    avatar_icon: user.avatarIcon,
    is_admin: isAdmin,
    role: user.role,
    role_ids: subject.roles.map((role) => role.id),
    compute_features: tiersUpTo(tier),
    subscription: {
      plan: user.limits.title,
      is_default: user.plan === defaultPlan,
      projects: isAdmin ? null : user.limits.projects,
      ...billingView(subject),
    },
    is_discoverable: user.isDiscoverable,
    is_suspended: user.suspendedAt !== null,
    referral_code: user.referralCode,
    is_guest: user.isGuest,
    guest_id: user.guestId,
    is_managed_by_identity_manager: user.managedBy === 'identity_manager',
    is_managed_by_messaging_app: user.managedBy === 'messaging_app',
    is_managed_by_organization: user.managedBy === 'organization',
    trial_signup_code: user.trialSignupCode,
    slack_team_name: null,
    token: subject.token,
    api_key: ctx.actor.keyHint,
    trial_extension_date: subject.trial?.extendedAt?.toISOString() ?? null,
    trial_extension_days: subject.trial?.extensionDays ?? null,
    referral: user.referredBy,
    masked_by: subject.maskedById ? { id: subject.maskedById } : null,
    expires_at: subject.expiresAt?.toISOString() ?? null,
    authenticated_at: subject.authenticatedAt?.toISOString() ?? null,
    has_password: user.passwordHash !== null,
    position: subject.position,
    ...optionalParts(ctx, subject, parts),
  };
}

const billingView = ({ trial, subscription, nextPlan }: Subject) => ({
  id: subscription?.id ?? null,
  ...billingDates(subscription, trial?.endedAt ? null : trial),
  next_plan: nextPlan,
});

function optionalParts(ctx: Context, { user, roles, trial }: Subject, parts: SessionParts): Partial<Session> {
  const features = () => resolveFeatures(flagInputs(ctx, { ...anonymous, ...personOf(user) }));
  return {
    ...(parts.features && { features: features() }),
    ...(parts.roles && { roles: roles.map(({ id, name }) => ({ id, name })) }),
    ...(parts.preferences && { preferences: preferencesOf(user) }),
    ...(parts.documentation && { documentation_enabled: features().documentation.enabled }),
    ...(parts.github && { github: parts.github }),
    ...(parts.trial && { trial: trialView(trial, user.limits.features) }),
  };
}

const trialView = (trial: TrialRow | null, features: FeatureOverrides): NonNullable<Session['trial']> => ({
  is_enabled: trial !== null && trial.endedAt === null,
  expires_at: trial?.expiresAt.toISOString() ?? null,
  expiry_days: trial?.days ?? null,
  disabled_reason: trial?.endReason ?? null,
  rate_plan_id: trial?.ratePlanId ?? null,
  role_ids: trial?.roleIds ?? [],
  features: trial && !trial.endedAt ? planFeatures.filter((name) => features[name] !== false) : [],
});
