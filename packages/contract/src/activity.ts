import { z } from 'zod';
import { id, time } from './fields.ts';
import { personSummary } from './projects/entity.ts';

/** An entry of the activity log. */
export const activityEntry = z.object({
  id,
  action: z.string().describe('The name of the event'),
  user: personSummary.nullable(),
  subject: personSummary.nullable().describe('To whom'),
  created_at: time,
});
export type ActivityEntry = z.infer<typeof activityEntry>;
