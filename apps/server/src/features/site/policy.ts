import { allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const sitePolicy: Policy = { 'site.contact': allow(anyone) };
