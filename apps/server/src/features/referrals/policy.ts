import { allow, type Policy, registered } from '../../platform/policy/policy.ts';

/** One's own only: the endpoints take no id. */
export const referralsPolicy: Policy = { 'referral.view': allow(registered) };
