import { z } from 'zod';
import { line, time } from '../fields.ts';
import { command, topic } from '../topic.ts';

const property = z.union([line(500), z.number(), z.boolean(), z.null()]);

export const trackedBatch = z.strictObject({
  events: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z][a-z0-9_.]{0,79}$/, 'Small letters, digits, dots and underscores'),
        properties: z.record(z.string().max(60), property).default({}),
        at: time,
      }),
    )
    .min(1)
    .max(100),
});

export const trackingTopic = topic('tracking', {
  permission: 'tracking.write',
  summary: 'Product events, in batches',
  commands: {
    track: command({
      permission: 'tracking.write',
      summary: 'Store product events',
      isWriting: true,
      input: trackedBatch,
      output: z.object({ stored: z.int() }),
    }),
  },
});

/** Apart from `tracking`, which everyone joins to send: what others do is for admins alone. */
export const trackingLiveTopic = topic('tracking:live', {
  permission: 'admin.view',
  summary: 'Product events as they are stored',
  events: { tracked: z.object({ names: z.array(z.string()) }) },
});
