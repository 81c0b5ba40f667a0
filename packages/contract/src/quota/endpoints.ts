import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { empty, id } from '../fields.ts';
import { quota, timeExtension } from './entity.ts';
import { mostExtensionHours } from './values.ts';

const tag = 'Quota';
const extension = { permission: 'execution_time.view', tag, flag: 'wallet' } as const;

export const quotaEndpoints = {
  get: endpoint('GET', '/v1/me/quota', {
    permission: 'quota.view',
    tag,
    summary: 'My quota',
  })
    .input(empty)
    .output(quota),

  extension: endpoint('GET', '/v1/execution_time_extension', {
    ...extension,
    summary: 'What execution time beyond the plan costs, and how much you have',
  })
    .input(empty)
    .output(timeExtension),

  buyExtension: endpoint('POST', '/v1/execution_time_extension', {
    ...extension,
    permission: 'execution_time.buy',
    keyScope: 'never',
    summary: 'Buy execution time with units',
    description:
      'It is used after the time of the plan and does not expire. Sent again with the same `request_id`, it buys nothing more; with `hour_price` it buys only at that price.',
  })
    .input(
      z.strictObject({
        hours: z.int().min(1).max(mostExtensionHours),
        hour_price: z.int().min(1).optional().describe('What the person was shown, in units'),
        request_id: id.optional(),
      }),
    )
    .output(timeExtension),
};
