import type { ProjectAbility } from '@atoll/contract';
import { allow, allowOnRow, anyone, identified, inPerson, type Policy } from '../../platform/policy/policy.ts';

interface StrategyAccess {
  abilities: ProjectAbility[];
}

export const strategiesPolicy: Policy = {
  'strategy.list': allow(anyone),
  'strategy.view': allowOnRow<StrategyAccess>(anyone, (_actor, { abilities }) => abilities.includes('view_source')),
  'strategy.test': allowOnRow<StrategyAccess>(identified, (_actor, { abilities }) => abilities.includes('execute')),
  // It sends orders; whose connection it is, is checked where they are placed.
  'strategy.run': allowOnRow<StrategyAccess>(inPerson, (_actor, { abilities }) => abilities.includes('execute')),
  'strategy.follow': allow(inPerson),
  // Whose portfolio and whose connection, is checked where it is started.
  'strategy.copy': allow(inPerson),
};
