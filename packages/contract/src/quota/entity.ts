import { z } from 'zod';
import { time } from '../fields.ts';

const seconds = z.int().min(0);

/** The specification's "Quota" entity: used and remaining time of a person. */
export const quota = z.object({
  execution_used: seconds.describe('Execution time of this month, in seconds; of a guest, in all'),
  execution_reserved: seconds.describe('What runs in progress hold beyond what they have used'),
  subscription_total: seconds.nullable().describe('What the plan has for a month; null is without limit'),
  extension_balance: seconds.describe('Time bought in addition; used after the month’s own, and does not expire'),
  projects_used: z.int().min(0),
  projects_total: z.int().min(0).nullable().describe('null is without limit'),
  renews_at: time.nullable().describe('When the next month begins; null for a guest'),
});
export type Quota = z.infer<typeof quota>;

export const timeExtension = z.object({
  hour_price: z.int().describe('Units for one hour'),
  extension_balance: seconds.describe('What you have left'),
  balance: z.int().describe('Units in your wallet'),
});
export type TimeExtension = z.infer<typeof timeExtension>;
