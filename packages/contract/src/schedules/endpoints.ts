import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, id, line, list, page, time } from '../fields.ts';
import { firing, schedule, scheduleInput } from './entity.ts';

const about = { tag: 'Schedules', flag: 'schedule' } as const;
const ofFile = z.strictObject({ id, fileId: id });
const change = z.strictObject({ ...scheduleInput.partial().shape });
const answer = z.object({ schedule: schedule.nullable() });

export const scheduleEndpoints = {
  ofFile: endpoint('GET', '/v1/notebooks/{id}/files/{fileId}/schedule', {
    permission: 'schedule.view',
    ...about,
    summary: 'The schedule of a file',
  })
    .input(ofFile)
    .output(answer),

  changeOfFile: endpoint('PATCH', '/v1/notebooks/{id}/files/{fileId}/schedule', {
    permission: 'schedule.edit',
    ...about,
    summary: 'Run a file at set times',
    description:
      'Creates the schedule, or changes what is given. It runs in the name of the person who changed it last.',
  })
    .input(ofFile.extend({ schedule: change }))
    .output(answer),

  ofPublication: endpoint('GET', '/v1/publication_schedules/{id}', {
    permission: 'schedule.view',
    ...about,
    summary: 'The schedule of a publication',
  })
    .input(z.strictObject({ id }))
    .output(answer),

  changeOfPublication: endpoint('PATCH', '/v1/publication_schedules/{id}', {
    permission: 'schedule.edit',
    ...about,
    summary: 'Run, publish and deliver a publication at set times',
    description: 'Creates the schedule, or changes what is given. Its `id` is that of the publication.',
  })
    .input(z.strictObject({ id, schedule: change }))
    .output(answer),

  list: endpoint('GET', '/v1/schedules', {
    permission: 'schedule.list',
    ...about,
    summary: 'Your schedules and those in your projects, the next one first',
  })
    .input(
      z.strictObject({
        search: line(200).optional(),
        state: z.enum(['active', 'paused', 'failing']).optional(),
        page: page(1),
        page_size: page(10, 100),
      }),
    )
    .output(list(schedule)),

  preview: endpoint('POST', '/v1/schedules/preview', {
    permission: 'schedule.list',
    ...about,
    isWriting: false,
    summary: 'The next five times of settings that are not stored yet',
  })
    .input(z.strictObject({ schedule: scheduleInput.omit({ with_secrets: true }) }))
    .output(z.object({ next_times: z.array(time).max(5) })),

  run: endpoint('POST', '/v1/schedules/{id}/run', {
    permission: 'schedule.edit',
    ...about,
    summary: 'Do now what is scheduled',
    description: 'In your name. The next times stay as they are.',
  })
    .input(z.strictObject({ id }))
    .output(firing),

  review: endpoint('POST', '/v1/schedules/{id}/review', {
    permission: 'schedule.edit',
    ...about,
    summary: 'Accept what others have changed, and go on',
    description:
      'By its owner only: from then on it runs these changes in their name. A schedule that had stopped has its next times again; one that runs once runs now.',
  })
    .input(z.strictObject({ id, until: z.int().nonnegative() }))
    .output(answer),

  firings: endpoint('GET', '/v1/schedules/{id}/firings', {
    permission: 'schedule.view',
    ...about,
    summary: 'What came of the times of a schedule, newest first',
  })
    .input(z.strictObject({ id, page: page(1), page_size: page(10, 100) }))
    .output(list(firing)),

  delete: endpoint('DELETE', '/v1/schedules/{id}', {
    permission: 'schedule.edit',
    ...about,
    summary: 'Delete a schedule',
  })
    .input(z.strictObject({ id }))
    .output(done),
};
