import { z } from 'zod';
import { id, isTimeZone, time } from '../fields.ts';
import { personSummary } from '../projects/entity.ts';
import { scheduleIntervals, scheduleTypes, weekdays } from './values.ts';

export * from './values.ts';

/** What a person sets. */
export const scheduleSettings = z.object({
  type: z.enum(scheduleTypes),
  enabled: z.boolean(),
  starts_at: time.describe('The first time; recurring schedules keep its time of day'),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Must be a time zone, such as Europe/Berlin')
    .describe('Days, weeks and months are counted by its calendar'),
  interval_type: z.enum(scheduleIntervals),
  interval_value: z.int().min(1).max(1_000),
  allowed_days: z
    .array(z.enum(weekdays))
    .min(1, 'Select at least one day')
    .max(7)
    .describe('By the calendar of the time zone'),
  with_secrets: z
    .boolean()
    .describe("Your secrets are in the runs even where other people can change the project's code"),
});
export type ScheduleSettings = z.infer<typeof scheduleSettings>;

/** As people set it: the first time may be a time of day in the time zone. */
export const scheduleInput = scheduleSettings.extend({
  starts_at: z
    .union([time, z.iso.datetime({ local: true })])
    .describe('The first time: an instant, or without an offset a time of day in the time zone'),
});

/** One that is stopped met changes of others that the person in whose name it runs has not looked at. */
export const firingStates = ['running', 'succeeded', 'failed', 'skipped', 'stopped'] as const;

/** One time of a schedule, and what came of it. */
export const firing = z.object({
  id,
  scheduled_for: time,
  trigger: z.enum(['schedule', 'manual']),
  state: z.enum(firingStates),
  reason: z.string().nullable().describe('Why it failed, was skipped or was stopped'),
  missed_count: z.int().describe('Later times that passed while no server was running; they are not made up for'),
  run_id: id.nullable(),
  started_at: time,
  ended_at: time.nullable(),
});
export type Firing = z.infer<typeof firing>;

/** What others have changed since the owner of a schedule last looked at it. */
export const scheduleReview = z.object({
  is_stopped: z.boolean().describe('It does not run until its owner accepts the changes'),
  until: z.int().describe('Accepts these changes and no later ones'),
  changes: z.array(
    z.object({
      file: z.object({ id, name: z.string() }),
      user: personSummary
        .nullable()
        .describe('Null for a deleted account, and for code that several people may have started'),
      changed_at: time,
      own_version_id: id.nullable().describe("The owner's own newest version of the file, to compare with"),
    }),
  ),
});
export type ScheduleReview = z.infer<typeof scheduleReview>;

/** The spec's Schedule. */
export const schedule = scheduleSettings.extend({
  id,
  project: z.object({ id, name: z.string() }),
  file: z.object({ id, name: z.string() }),
  publication: z.object({ id, title: z.string(), path: z.string() }).nullable(),
  owner: personSummary.describe('In whose name it runs: who changed it last'),
  last_run_at: time.nullable(),
  next_run_at: time.nullable(),
  next_times: z.array(time).max(5),
  failures_in_row: z.int(),
  paused_reason: z.string().nullable().describe('Set when it was paused after failures'),
  last_firing: firing.nullable(),
  review: scheduleReview.nullable().describe('Set while changes of others wait for its owner'),
});
export type Schedule = z.infer<typeof schedule>;
