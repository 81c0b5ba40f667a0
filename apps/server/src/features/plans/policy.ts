import { allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const plansPolicy: Policy = { 'rate_plan.list': allow(anyone) };
