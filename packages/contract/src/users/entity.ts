import { z } from 'zod';
import { settings } from '../account/entity.ts';
import { time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';

/** The specification's public user: the public part of a person who is discoverable. */
export const publicUser = personSummary.extend({
  headline: z.string(),
  avatar_icon: z.string().nullable(),
  company_name: z.string(),
  company_position: z.string(),
  social_urls: settings.shape.social_urls,
  link: z.string().describe('The address of the profile'),
  is_followed_by_you: z.boolean(),
  followers_count: z.int(),
  following_count: z.int(),
  is_discoverable: z.boolean(),
  referral_code: z.string().nullable().describe('Only in your own answer'),
  signup_date: time,
  permissions: z.array(z.enum(['edit', 'follow'])),
});
export type PublicUser = z.infer<typeof publicUser>;

export const followedPerson = personSummary.extend({ headline: z.string(), is_followed_by_you: z.boolean() });
export type FollowedPerson = z.infer<typeof followedPerson>;
