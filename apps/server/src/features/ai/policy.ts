import { administrator, allow, inPerson, type Policy } from '../../platform/policy/policy.ts';
import type { ProviderRow } from './table.ts';

export const aiPolicy: Policy = {
  // An admin who acts as somebody spends none of their money and reads none of their keys.
  'ai.use': allow(inPerson),
  'ai.configure': allow(inPerson),
  'ai.price': allow(administrator),
};

/** Whether the caller may change this provider. */
export const mayChange = (
  actor: { userId: string | null; isAdmin: boolean },
  { userId }: Pick<ProviderRow, 'userId'>,
) => (userId === null ? actor.isAdmin : userId === actor.userId);
