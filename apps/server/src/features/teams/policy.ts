import type { TeamAbility } from '@atoll/contract';
import { allow, allowOnRow, anyone, type Policy, registered } from '../../platform/policy/policy.ts';

/** The abilities were worked out by the contract's one table when the team was loaded. */
const may = (ability: TeamAbility, actor = registered) =>
  allowOnRow<{ abilities: TeamAbility[] }>(actor, (_actor, { abilities }) => abilities.includes(ability));

export const teamsPolicy: Policy = {
  'team.list': allow(anyone),
  'team.create': allow(registered),
  'team.view': may('view', anyone),
  'team.edit': may('edit'),
  'team.delete': may('delete'),
  'team.transfer': may('transfer'),
  // Whoever sees a team may ask; whoever is in it may go.
  'team.join': may('view'),
  'team.leave': may('view'),
};
