/** What strategies call, as rows of numbers: all that leaves the process in which they run. */

export const callKinds = { buy: 0, sell: 1, cancel: 2, protect: 3, weights: 4, share: 5 } as const;
export const callField = {
  ...{ step: 0, kind: 1, market: 2, given: 3, reason: 4, numbers: 5 },
} as const;
/** In this order from `numbers` on; of what is not given the number means nothing. */
export const orderNumbers = [
  'amount',
  'quote',
  'percent',
  'limit',
  'trigger',
  'stop',
  'takeProfit',
  'goodForBars',
] as const;
export const exitNumbers = ['stop', 'takeProfit'] as const;
export const callWidth = callField.numbers + orderNumbers.length;
export const mostCallReasons = 20_000;
export const longestReason = 200;
/** Characters of all reasons together: they are in one head of a frame. */
export const mostReasonText = 1_000_000;
