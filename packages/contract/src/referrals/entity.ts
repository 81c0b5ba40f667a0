import { z } from 'zod';
import { id, line, time } from '../fields.ts';
import { kernelName } from '../kernels/entity.ts';

const units = z.int().min(0).max(1_000_000);

/** What an admin says about a code. */
export const referralFields = z.strictObject({
  code: line(40).regex(/^[\w-]{3,40}$/, 'Must be 3 to 40 letters, digits, hyphens or underscores'),
  units: units.default(0).describe('For who signs up with it'),
  enabled: z.boolean().default(true),
  roles: z.array(id).max(20).default([]),
  rate_plan_id: id.nullable().default(null).describe('For the days of the trial'),
  trial_days: z.int().min(1).max(366).nullable().default(null),
  default_kernel: kernelName.nullable().default(null),
  team_id: id.nullable().default(null),
  owner_id: id.nullable().default(null).describe('Who earns by it'),
  expires_at: time.nullable().default(null),
});
export type ReferralFields = z.infer<typeof referralFields>;

const person = z.object({ id, user_name: z.string() });

/** The spec's Referral. */
export const referral = referralFields.omit({ owner_id: true }).extend({
  id,
  url: z.string(),
  owner: person.nullable(),
  user_count: z.int().describe('Accounts created with it'),
  users_matched: z.int().describe('Of them, those that count'),
  created_at: time,
});
export type Referral = z.infer<typeof referral>;

export const referralStates = ['waiting', 'matched', 'refused'] as const;
export const referralReasons = ['own_code', 'known_device', 'ended_account', 'ended_code'] as const;

export const referredPerson = z.object({
  user: person.nullable().describe('null where the person does not want to be found'),
  code: z.string(),
  state: z.enum(referralStates).describe('`waiting` until the address is confirmed'),
  reason: z.enum(referralReasons).nullable().describe('Why nothing is earned'),
  units: z.int().describe('What you earned'),
  date: time,
});
export type ReferredPerson = z.infer<typeof referredPerson>;

export const referralDashboard = z.object({
  code: z.string(),
  url: z.string(),
  invited_units: z.int().describe('What a person gets who signs up by your link'),
  inviter_units: z.int().describe('What you get for each of them'),
  people: z.int(),
  people_matched: z.int(),
  units_earned: z.int(),
  codes: z.array(referral).describe('More codes of yours, made by an admin'),
});
export type ReferralDashboard = z.infer<typeof referralDashboard>;
