import { allow, anyone, inPerson, type Policy, registered } from '../../platform/policy/policy.ts';

export const paymentsPolicy: Policy = {
  // One's own only: another person's purchase is not found.
  'unit_purchase.view': allow(registered),
  // An admin who acts as another person does not pay for them.
  'unit_purchase.create': allow(inPerson),
  // The signature decides.
  'payment.notify': allow(anyone),
};
