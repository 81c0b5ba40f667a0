import { z } from 'zod';
import { preferences } from '../account/entity.ts';
import { featureStates } from '../features.ts';
import { id, time } from '../fields.ts';
import { computeTiers } from '../plans.ts';

export const userRoles = ['user', 'admin'] as const;

export const socialUrls = z.object({
  twitter: z.string().nullable(),
  linkedin: z.string().nullable(),
  blog: z.string().nullable(),
  website: z.string().nullable(),
  facebook: z.string().nullable(),
});

export const role = z.object({ id, name: z.string() });

/** The spec's "User / session" entity: who the caller is. Parts asked for by `with_…` are absent otherwise. */
export const session = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  user_name: z.string(),
  email: z.string().nullable(),
  is_email_confirmed: z.boolean(),
  headline: z.string(),
  social_urls: socialUrls,
  company_name: z.string(),
  company_position: z.string(),
  signup_date: time,
  active_date: time,
  balance: z.int(),
  avatar: z.string().nullable(),
  avatar_icon: z.string().nullable(),
  is_admin: z.boolean(),
  role: z.enum(userRoles),
  role_ids: z.array(id),
  roles: z.array(role).optional(),
  features: featureStates.optional(),
  compute_features: z.array(z.enum(computeTiers)),
  subscription: z.object({
    plan: z.string().describe('Its title'),
    is_default: z.boolean(),
    projects: z.int().nullable().describe('How many it includes; null is without limit'),
    id: id.nullable().describe('null without a subscription'),
    expiration: time.nullable(),
    next_billing: time.nullable(),
    canceled_at: time.nullable(),
    next_plan: z.string().nullable().describe('Its title, from the next billing on'),
  }),
  is_discoverable: z.boolean(),
  is_suspended: z.boolean(),
  referral_code: z.string().nullable(),
  is_guest: z.boolean(),
  guest_id: z.string().nullable(),
  is_managed_by_identity_manager: z.boolean(),
  is_managed_by_messaging_app: z.boolean(),
  is_managed_by_organization: z.boolean(),
  trial_signup_code: z.string().nullable(),
  github: z
    .object({ user_name: z.string().nullable(), avatar: z.string().nullable(), is_connected: z.boolean() })
    .optional(),
  slack_team_name: z.string().nullable(),
  preferences: preferences.optional(),
  documentation_enabled: z.boolean().optional(),
  token: z.string().nullable().describe('The bearer token, when this answer opened or renewed the session'),
  api_key: z.string().nullable().describe('The visible part of the API key that made this call'),
  trial: z
    .object({
      is_enabled: z.boolean(),
      expires_at: time.nullable(),
      expiry_days: z.int().nullable(),
      disabled_reason: z.string().nullable(),
      rate_plan_id: z.string().nullable(),
      role_ids: z.array(id),
      features: z.array(z.string()),
    })
    .optional(),
  trial_extension_date: time.nullable(),
  trial_extension_days: z.int().nullable(),
  referral: z.string().nullable(),
  masked_by: z.object({ id }).nullable().describe('The admin acting as this user'),
  expires_at: time.nullable(),
  authenticated_at: time.nullable().describe('When the person last proved who they are'),
  has_password: z.boolean(),
  position: z
    .int()
    .describe('Of the topic `notifications:{id}`: joined with it as `last_seen`, nothing is missed since this answer'),
});
export type Session = z.infer<typeof session>;
