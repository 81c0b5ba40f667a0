/** Booked amounts are whole; clocks are not. Anything else is a mistake of the caller that must not reach the books. */
export function wholeMs(ms: number): number {
  if (!Number.isSafeInteger(Math.round(ms)) || ms < 0) throw new RangeError(`${ms} is no length of time`);
  return Math.round(ms);
}
