import { endpoint } from '../endpoint.ts';
import { empty } from '../fields.ts';
import { quota } from './entity.ts';

export const quotaEndpoints = {
  get: endpoint('GET', '/v1/me/quota', {
    permission: 'quota.view',
    tag: 'Quota',
    summary: 'What I have used and have left',
  })
    .input(empty)
    .output(quota),
};
