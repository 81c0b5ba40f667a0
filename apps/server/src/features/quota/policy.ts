import { allow, identified, inPerson, type Policy, registered } from '../../platform/policy/policy.ts';

/** One's own only: the endpoint takes no id. */
export const quotaPolicy: Policy = {
  'quota.view': allow(identified),
  'execution_time.view': allow(registered),
  // An admin who acts as another person does not spend their units.
  'execution_time.buy': allow(inPerson),
};
