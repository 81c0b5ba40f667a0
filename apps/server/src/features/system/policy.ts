import { allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const systemPolicy: Policy = { 'system.view': allow(anyone) };
