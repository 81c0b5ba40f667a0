import { allow, allowOnRow, anyone, type Policy, registered } from '../../platform/policy/policy.ts';

export const deliveriesPolicy: Policy = {
  'report.subscribe': allowOnRow<{ isReadable: boolean }>(registered, (_actor, { isReadable }) => isReadable),
  // The link is the proof.
  'report.unsubscribe': allow(anyone),
  'report.consent': allow(anyone),
};
