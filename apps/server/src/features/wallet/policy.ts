import { administrator, allow, type Policy, registered } from '../../platform/policy/policy.ts';

export const walletPolicy: Policy = {
  // One's own only: the endpoints take no id.
  'wallet.view': allow(registered),
  // An admin who acts as another person does not move their units.
  'wallet.redeem': allow((actor) => (actor.impersonatorId === null ? registered(actor) : 'no_permissions')),
  'wallet.transfer': allow((actor) => (actor.impersonatorId === null ? registered(actor) : 'no_permissions')),
  'wallet.credit': allow((actor) => (actor.impersonatorId === null ? administrator(actor) : 'no_permissions')),
};
