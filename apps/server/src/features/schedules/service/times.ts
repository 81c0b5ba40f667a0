import { type ScheduleInterval, shortestMinutes, type Weekday, weekdays } from '@atoll/contract';

/** When a schedule is due. */
export interface Rule {
  type: 'one_off' | 'recurring';
  startsAt: Date;
  timeZone: string;
  intervalType: ScheduleInterval;
  intervalValue: number;
  allowedDays: readonly Weekday[];
}

/** Longer than any pattern of months and days takes to come round. */
const mostSteps = 1_000;

/**
 * The first time after this one. Minutes and hours are elapsed time; days, weeks and months keep the time of day in the time
 * zone: one that does not exist on a day is moved by the hour that is left out, of one that comes twice it is the first.
 */
export function nextTime(rule: Rule, after: Date): Date | null {
  if (rule.type === 'one_off') return rule.startsAt > after ? rule.startsAt : null;
  const start = zoned(rule.startsAt, rule.timeZone);
  const from = zoned(rule.startsAt > after ? new Date(rule.startsAt.getTime() - 1) : after, rule.timeZone);
  const found = rule.intervalType === 'week' ? nextOfWeek(rule, start, from) : nextStep(rule, start, from);
  return found && new Date(found.epochMilliseconds);
}

/** At most so many of the next times. */
export function nextTimes(rule: Rule, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let last = after; times.length < count; ) {
    const next = nextTime(rule, last);
    if (!next) break;
    times.push(next);
    last = next;
  }
  return times;
}

/** How many there are after the first of these and up to the second; not more than so many. */
export function countTimes(rule: Rule, after: Date, until: Date, most: number): number {
  let count = 0;
  for (let time = nextTime(rule, after); time && time <= until && count < most; time = nextTime(rule, time)) count++;
  return count;
}

/** Why these settings cannot be kept, by field; null when they can. */
export function problemOf(rule: Rule, now: Date): { field: string; message: string } | null {
  if (rule.type === 'one_off')
    return rule.startsAt > now ? null : { field: 'starts_at', message: 'Must be in the future' };
  if (rule.intervalType === 'minute' && rule.intervalValue < shortestMinutes)
    return { field: 'interval_value', message: `Must be at least ${shortestMinutes} minutes` };
  return nextTime(rule, now) ? null : { field: 'allowed_days', message: 'None of its times is on one of these days' };
}

/** Of a time with an offset, or of a time of day in the time zone. */
export const instantOf = (time: string, timeZone: string): Date =>
  /(Z|[+-]\d\d:\d\d)$/.test(time)
    ? new Date(time)
    : new Date(Temporal.PlainDateTime.from(time).toZonedDateTime(timeZone).epochMilliseconds);

const zoned = (time: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone);

const isLater = (one: Temporal.ZonedDateTime, other: Temporal.ZonedDateTime) =>
  Temporal.ZonedDateTime.compare(one, other) > 0;

const isAllowed = ({ allowedDays }: Rule, { dayOfWeek }: { dayOfWeek: number }) =>
  allowedDays.includes(weekdays[dayOfWeek - 1] as Weekday);

/** Counted from the start each time: added to the time before it, the 31st would become the 28th for good. */
function nextStep(rule: Rule, start: Temporal.ZonedDateTime, from: Temporal.ZonedDateTime) {
  const unit = `${rule.intervalType}s` as 'minutes' | 'hours' | 'days' | 'months';
  const stepsUntil = (time: Temporal.ZonedDateTime) =>
    Math.max(0, Math.floor(start.until(time, { largestUnit: unit })[unit] / rule.intervalValue));
  let step = Math.max(0, stepsUntil(from) - 1);
  for (let tried = 0; tried < mostSteps; tried++) {
    const time = start.add({ [unit]: step * rule.intervalValue });
    if (isLater(time, from) && isAllowed(rule, time)) return time;
    const isDayOver = isLater(time, from) && (unit === 'minutes' || unit === 'hours');
    // The rest of a day that is not allowed is left out at once.
    step = isDayOver ? Math.max(step + 1, stepsUntil(time.startOfDay().add({ days: 1 }))) : step + 1;
  }
  return null;
}

/** Every so many weeks, on each of the days. */
function nextOfWeek(rule: Rule, start: Temporal.ZonedDateTime, from: Temporal.ZonedDateTime) {
  const monday = start.toPlainDate().subtract({ days: start.dayOfWeek - 1 });
  const weeks = Math.floor(monday.until(from.toPlainDate(), { largestUnit: 'weeks' }).weeks / rule.intervalValue);
  for (let turn = Math.max(0, weeks - 1); turn <= Math.max(0, weeks) + 1; turn++) {
    for (const [day, name] of weekdays.entries()) {
      if (!rule.allowedDays.includes(name)) continue;
      const date = monday.add({ weeks: turn * rule.intervalValue, days: day });
      const time = date.toZonedDateTime({ timeZone: rule.timeZone, plainTime: start.toPlainTime() });
      if (isLater(time, from) && !isLater(start, time)) return time;
    }
  }
  return null;
}
