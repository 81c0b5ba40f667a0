import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { empty, list, page } from '../fields.ts';
import { referralDashboard, referredPerson } from './entity.ts';

const about = { permission: 'referral.view', tag: 'Referrals', flag: 'referrals' } as const;

export const referralEndpoints = {
  dashboard: endpoint('GET', '/v1/referrals/dashboard', { ...about, summary: 'Your link and what it brought' })
    .input(empty)
    .output(referralDashboard),

  people: endpoint('GET', '/v1/referrals/users', { ...about, summary: 'Who signed up by a link of yours' })
    .input(z.strictObject({ page: page(1), page_size: page(20, 100) }))
    .output(list(referredPerson)),
};
