import { orderTypes } from '../../port.ts';

/** Fields of the tables. */
export const fillField = { step: 0, market: 1, isBuy: 2, amount: 3, price: 4, fee: 5, order: 6, cause: 7 } as const;
export const tradeField = {
  ...{ market: 0, amount: 1, entryStep: 2, entryPrice: 3, exitStep: 4, exitPrice: 5 },
  ...{ fees: 6, cause: 7, entryReason: 8, exitReason: 9, result: 10 },
} as const;
export const decisionField = {
  ...{ step: 0, market: 1, kind: 2, size: 3, limit: 4, trigger: 5, stop: 6, takeProfit: 7, isRejected: 8 },
} as const;
/** Kinds of decisions: orders by side and type, then what is done to what waits. */
export const decisionKinds = [
  ...orderTypes.map((type) => `buy ${type}`),
  ...orderTypes.map((type) => `sell ${type}`),
  'cancel',
  'protect',
];
export const cancelKind = decisionKinds.indexOf('cancel');
export const protectKind = decisionKinds.indexOf('protect');
export const causes = ['buy', 'sell', 'stop', 'take_profit'] as const;
export type CauseIndex = 0 | 1 | 2 | 3;
