import type { Firing, Schedule } from '@atoll/contract/schedules/entity';
import { type ScheduleInterval, shortestMinutes, type Weekday, weekdays } from '@atoll/contract/schedules/values';

export type ScheduleValues = Pick<
  Schedule,
  'type' | 'starts_at' | 'time_zone' | 'interval_type' | 'interval_value' | 'allowed_days'
>;

export const weekdayWords: Record<Weekday, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

export const intervalWords: Record<ScheduleInterval, [one: string, several: string]> = {
  minute: ['minute', 'minutes'],
  hour: ['hour', 'hours'],
  day: ['day', 'days'],
  week: ['week', 'weeks'],
  month: ['month', 'months'],
};

/** The fewest that can be set. */
export const leastOf = (interval: ScheduleInterval): number => (interval === 'minute' ? shortestMinutes : 1);

const formatted = (time: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', options).format(new Date(time));

/** A moment by the clock of a time zone. */
export const timeIn = (time: string, timeZone: string): string =>
  formatted(time, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

/** Named where it is not the reader's own. */
export const zoneWords = (timeZone: string): string =>
  timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone ? '' : ` (${timeZone})`;

/** As a field for a date and a time holds it. */
export const localTime = (time: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(time))
    .replace(' ', 'T');

/** The next full hour, by the clock of a time zone. */
export const nextHour = (now: Date, timeZone: string): string => {
  const hour = 3_600_000;
  return localTime(new Date(Math.ceil(now.getTime() / hour + 0.01) * hour).toISOString(), timeZone);
};

/** The next time a clock of this time zone shows this full hour, as a field for a date and a time holds it. */
export function nextTimeAt(hour: number, now: Date, timeZone: string): string {
  const at = `T${String(hour).padStart(2, '0')}:00`;
  const [today, time = ''] = localTime(now.toISOString(), timeZone).split('T');
  if (`T${time}` < at) return `${today}${at}`;
  const tomorrow = new Date(Date.parse(`${today}T12:00Z`) + 86_400_000);
  return `${tomorrow.toISOString().slice(0, 10)}${at}`;
}

interface SchedulePreset {
  label: string;
  interval: ScheduleInterval;
  days: readonly Weekday[];
  /** Null: as it is. */
  hour: number | null;
}

/** What most people want. */
export const schedulePresets: readonly SchedulePreset[] = [
  { label: 'Every hour', interval: 'hour', days: weekdays, hour: null },
  { label: 'Every day at 8:00', interval: 'day', days: weekdays, hour: 8 },
  { label: 'Weekdays at 8:00', interval: 'day', days: ['mon', 'tue', 'wed', 'thu', 'fri'], hour: 8 },
];

/** When it runs, in a sentence without its full stop. */
export function rhythmWords(schedule: ScheduleValues): string {
  const { type, interval_type, interval_value, allowed_days, starts_at, time_zone } = schedule;
  if (type === 'one_off') return `Once, ${timeIn(starts_at, time_zone)}`;
  const [one, several] = intervalWords[interval_type];
  const every = interval_value === 1 ? `Every ${one}` : `Every ${interval_value} ${several}`;
  const days = daysWords(allowed_days);
  const isTimed = interval_type !== 'minute' && interval_type !== 'hour';
  const at = isTimed ? ` at ${formatted(starts_at, { timeZone: time_zone, hour: '2-digit', minute: '2-digit' })}` : '';
  return `${every}${days ? ` on ${days}` : ''}${at}`;
}

function daysWords(days: readonly Weekday[]): string {
  if (days.length === weekdays.length) return '';
  const sorted = weekdays.filter((day) => days.includes(day));
  if (sorted.join() === 'mon,tue,wed,thu,fri') return 'weekdays';
  return sorted.map((day) => weekdayWords[day]).join(', ');
}

export const firingWords: Record<Firing['state'], string> = {
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  skipped: 'Skipped',
  stopped: 'Stopped',
};

/** Why a schedule stops, and what to do: its owner accepts what others have changed. */
export const reviewWords = ({ is_stopped }: NonNullable<Schedule['review']>): string =>
  is_stopped
    ? 'Stopped: others changed what it runs. It goes on when its owner has reviewed the changes'
    : 'Others changed what it runs. It stops at its next time unless its owner reviews the changes';

/** What it says about times that passed while no server was running. */
export const missedWords = ({ missed_count }: Firing): string | null =>
  missed_count === 0
    ? null
    : `${missed_count} later ${missed_count === 1 ? 'time was' : 'times were'} missed while the server was not running`;

export interface AutomationSearch {
  search?: string;
  state?: 'active' | 'paused' | 'failing';
  page?: number;
}

export function parseAutomationSearch(given: Record<string, unknown>): AutomationSearch {
  const { search, state, page } = given;
  return {
    ...(typeof search === 'string' && search ? { search: search.slice(0, 200) } : {}),
    ...(state === 'active' || state === 'paused' || state === 'failing' ? { state } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}
