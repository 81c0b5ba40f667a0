import { allow, anyone, type Policy } from '../../platform/policy/policy.ts';

export const mailPolicy: Policy = {
  // The token says whose.
  'mail.choose': allow(anyone),
};
