import { allow, identified, type Policy } from '../../platform/policy/policy.ts';

/** One's own only: the endpoint takes no id. */
export const quotaPolicy: Policy = { 'quota.view': allow(identified) };
