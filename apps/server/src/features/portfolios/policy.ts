import type { ProjectAbility } from '@atoll/contract';
import { type ActorRule, allow, allowOnRow, identified, inPerson, type Policy } from '../../platform/policy/policy.ts';

interface PortfolioAccess {
  abilities: ProjectAbility[];
}

/** An admin who acts as another person does not look at what they own. */
const asOneself: ActorRule = (actor) => (actor.impersonatorId === null ? identified(actor) : 'no_permissions');

export const portfoliosPolicy: Policy = {
  'portfolio.list': allow(asOneself),
  'portfolio.create': allow(inPerson),
  'portfolio.view': allowOnRow<PortfolioAccess>(asOneself, (_actor, { abilities }) => abilities.includes('view')),
  'portfolio.edit': allowOnRow<PortfolioAccess>(inPerson, (_actor, { abilities }) => abilities.includes('edit')),
  // Whose connection it is, is checked where the order is placed.
  'portfolio.trade': allowOnRow<PortfolioAccess>(inPerson, (_actor, { abilities }) => abilities.includes('edit')),
};
