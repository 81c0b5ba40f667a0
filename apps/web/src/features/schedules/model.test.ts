import { expect, test } from 'vitest';
import {
  localTime,
  missedWords,
  nextHour,
  nextTimeAt,
  parseAutomationSearch,
  rhythmWords,
  type ScheduleValues,
} from './model.ts';

const values: ScheduleValues = {
  type: 'recurring',
  starts_at: '2026-11-18T07:30:00.000Z',
  time_zone: 'Europe/Berlin',
  interval_type: 'day',
  interval_value: 1,
  allowed_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
};

test('a schedule is said in a sentence, by the clock of its time zone', () => {
  expect(rhythmWords(values)).toBe('Every day at 08:30');
  expect(rhythmWords({ ...values, allowed_days: ['fri', 'mon', 'tue', 'wed', 'thu'] })).toBe(
    'Every day on weekdays at 08:30',
  );
  expect(rhythmWords({ ...values, interval_type: 'week', interval_value: 2, allowed_days: ['thu', 'mon'] })).toBe(
    'Every 2 weeks on Mon, Thu at 08:30',
  );
  expect(rhythmWords({ ...values, interval_type: 'hour', interval_value: 6 })).toBe('Every 6 hours');
  expect(rhythmWords({ ...values, type: 'one_off' })).toMatch(/^Once, Wed, 18 Nov 2026.*08:30$/);
});

test('a field for a time holds it by the clock of the time zone', () => {
  expect(localTime('2026-07-01T22:15:00.000Z', 'Asia/Tokyo')).toBe('2026-07-02T07:15');
  expect(nextHour(new Date('2026-11-17T14:00:00Z'), 'UTC')).toBe('2026-11-17T15:00');
  expect(nextHour(new Date('2026-11-17T14:59:00Z'), 'UTC')).toMatch(/T1[56]:00$/);
});

test('missed times are counted in words', () => {
  const firing = { missed_count: 0 } as Parameters<typeof missedWords>[0];
  expect(missedWords(firing)).toBeNull();
  expect(missedWords({ ...firing, missed_count: 1 })).toContain('1 later time was');
  expect(missedWords({ ...firing, missed_count: 9 })).toContain('9 later times were');
});

test('an address that makes no sense is the whole list', () => {
  expect(parseAutomationSearch({ state: 'x', page: -1, search: 3 })).toEqual({});
  expect(parseAutomationSearch({ state: 'paused', page: 2, search: 'tides' })).toEqual({
    state: 'paused',
    page: 2,
    search: 'tides',
  });
});

test('the next eight o’clock is today or tomorrow, by the clock of the time zone', () => {
  const morning = new Date('2026-11-30T06:30:00Z');
  expect(nextTimeAt(8, morning, 'UTC')).toBe('2026-11-30T08:00');
  expect(nextTimeAt(8, morning, 'Asia/Tokyo')).toBe('2026-12-01T08:00');
  expect(nextTimeAt(8, new Date('2026-11-30T08:00:00Z'), 'UTC')).toBe('2026-12-01T08:00');
});
