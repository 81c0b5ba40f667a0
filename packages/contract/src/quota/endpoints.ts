import { endpoint } from '../endpoint.ts';
import { empty } from '../fields.ts';
import { quota } from './entity.ts';

export const quotaEndpoints = {
  get: endpoint('GET', '/v1/me/quota', {
    permission: 'quota.view',
    tag: 'Quota',
    summary: 'My quota',
  })
    .input(empty)
    .output(quota),
};
