import { allow, inPerson, type Policy } from '../../platform/policy/policy.ts';

export const telegramPolicy: Policy = {
  'telegram.link': allow(inPerson),
};
