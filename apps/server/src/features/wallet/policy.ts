import { administrator, allow, inPerson, type Policy } from '../../platform/policy/policy.ts';

export const walletPolicy: Policy = {
  // One's own only: the endpoints take no id.
  'wallet.view': allow(inPerson),
  // An admin who acts as another person does not move their units.
  'wallet.redeem': allow(inPerson),
  'wallet.transfer': allow(inPerson),
  'wallet.credit': allow(administrator),
};
