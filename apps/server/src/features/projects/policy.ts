import type { ProjectAbility } from '@atoll/contract';
import {
  allow,
  allowOnRow,
  anyone,
  identified,
  inPerson,
  owns,
  type Policy,
  registered,
} from '../../platform/policy/policy.ts';

/** The abilities were worked out by the contract's one table when the project was loaded. */
const may = (ability: ProjectAbility) =>
  allowOnRow<{ abilities: ProjectAbility[] }>(anyone, (_actor, { abilities }) => abilities.includes(ability));

/** Changing needs somebody to have changed it. */
const identifiedMay = (ability: ProjectAbility) => ({ ...may(ability), actor: identified });

export const projectsPolicy: Policy = {
  'project.list': allow(anyone),
  'project.create': allow(identified),
  'project.view': may('view'),
  'project.view_source': may('view_source'),
  'project.view_history': may('view_history'),
  'project.export': may('export'),
  'project.export_data': may('export_data'),
  'project.view_analytics': may('view_analytics'),
  'project.embed': identifiedMay('embed'),
  'project.edit': identifiedMay('edit'),
  'project.execute': identifiedMay('execute'),
  'project.clone': identifiedMay('clone'),
  'project.delete': identifiedMay('delete'),
  'project.delete_permanently': identifiedMay('delete'),
  // An offer speaks in its giver's name, and an answer in its receiver's: neither is for an admin who acts as them.
  'project.transfer': { ...may('transfer'), actor: inPerson },
  'project.answer_offer': allowOnRow<{ toId: string }>(inPerson, (actor, { toId }) => toId === actor.userId),
  'project.accept_code': allowOnRow<{ userId: string }>(inPerson, owns),
  // Whoever it is shared with is told, so sharing takes an account.
  'project.share': { ...may('share'), actor: registered },
  'project.unshare': allowOnRow<{ abilities: ProjectAbility[]; granteeId: string | null }>(
    identified,
    (actor, { abilities, granteeId }) =>
      granteeId === actor.userId || (registered(actor) === true && abilities.includes('share')),
  ),
  'project.copy_link': identifiedMay('view'),
  // Its secret part decides; a guest can have it too.
  'project.open_link': allow(identified),
};
