import { allow, inPerson, type Policy, registered } from '../../platform/policy/policy.ts';

export const subscriptionsPolicy: Policy = {
  'subscription.view': allow(registered),
  // An admin who acts as another person does not move their units.
  'subscription.edit': allow(inPerson),
};
