import { z } from 'zod';

/** Background work: publishing, rendering, imports, deliveries. */
export const jobState = z.enum(['queued', 'running', 'succeeded', 'failed', 'canceled']);
export type JobState = z.infer<typeof jobState>;
