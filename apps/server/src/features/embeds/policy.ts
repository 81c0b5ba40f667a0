import { allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const embedsPolicy: Policy = {
  // That there is a record is the right to read.
  'embed.view': allow(anyone),
};
