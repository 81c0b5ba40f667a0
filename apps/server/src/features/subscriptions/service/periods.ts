import type { BillingPeriod } from '@atoll/contract';

const zoned = (time: Date) => Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO('UTC');
const monthsIn: Record<BillingPeriod, number> = { monthly: 1, yearly: 12 };

/** When a period begins, counted from the first: a month that is too short has it on its last day. */
export const periodStart = (anchor: Date, period: BillingPeriod, index: number): Date =>
  new Date(zoned(anchor).add({ months: index * monthsIn[period] }).epochMilliseconds);

/** The period that a time is in; of the time before the first, the first. */
export function periodAt(anchor: Date, period: BillingPeriod, now: Date): { start: Date; end: Date } {
  const months = zoned(anchor).until(zoned(now), { largestUnit: 'months' }).months;
  let index = Math.max(0, Math.floor(months / monthsIn[period]));
  // The last day of a short month is a whole month after the 31st, which `until` does not count as one.
  while (periodStart(anchor, period, index + 1) <= now) index++;
  return { start: periodStart(anchor, period, index), end: periodStart(anchor, period, index + 1) };
}

export const daysFrom = (time: Date, days: number): Date => new Date(zoned(time).add({ days }).epochMilliseconds);
