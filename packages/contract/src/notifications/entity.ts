import { z } from 'zod';
import { id, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';

export const notificationTypes = ['project_transferred', 'project_shared'] as const;

export const notification = z.object({
  id,
  type: z.enum(notificationTypes),
  actor: personSummary.nullable(),
  project: z.object({ id, name: z.string() }).nullable(),
  created_at: time,
  read_at: time.nullable(),
});
export type Notification = z.infer<typeof notification>;
