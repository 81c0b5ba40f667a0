import { allow, allowOnRow, identified, inPerson, owns, type Policy } from '../../platform/policy/policy.ts';

/** An admin who acts as another person sees neither their exchanges nor their orders, and trades nothing. */
export const tradingPolicy: Policy = {
  'market.view': allow(identified),
  'exchange.list': allow(inPerson),
  'exchange.connect': allow(inPerson),
  'exchange.change': allowOnRow<{ userId: string }>(inPerson, owns),
  'trade.view': allow(inPerson),
  'trade.order': allowOnRow<{ userId: string }>(inPerson, owns),
};
