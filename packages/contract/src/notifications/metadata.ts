import { z } from 'zod';
import { id } from '../fields.ts';

export const notificationMetadata = z.object({
  excerpt: z.string().optional().describe('The beginning of the text'),
  role: z.string().optional(),
  tag: z.string().optional(),
  file_id: id.optional(),
  cell_id: z.string().optional(),
  reason: z.string().optional(),
});
export type NotificationMetadata = z.infer<typeof notificationMetadata>;
