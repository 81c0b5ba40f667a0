import { allow, identified, type Policy } from '../../platform/policy/policy.ts';

export const trackingPolicy: Policy = { 'tracking.write': allow(identified) };
