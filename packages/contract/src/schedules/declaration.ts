import { z } from 'zod';
import { declare } from '../declaration.ts';
import { id } from '../fields.ts';

const about = { schedule_id: id, project_id: id, owner_id: id };

export const schedulesDeclaration = declare({
  permissions: ['schedule.list', 'schedule.view', 'schedule.edit'],
  events: {
    'schedule.created': z.object(about),
    'schedule.updated': z.object({ ...about, fields: z.array(z.string()) }),
    'schedule.deleted': z.object(about),
    'schedule.fired': z.object({ ...about, firing_id: id }),
    'schedule.ended': z.object({
      ...about,
      firing_id: id,
      state: z.enum(['succeeded', 'failed', 'skipped', 'stopped']),
      reason: z.string().nullable(),
      is_paused: z.boolean(),
    }),
  },
  personEvents: {
    schedules_changed: z.object({ schedule_id: id }).describe('A schedule of yours was changed, fired or ended'),
  },
});
