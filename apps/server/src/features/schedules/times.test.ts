import { weekdays } from '@atoll/contract';
import { describe, expect, test } from 'vitest';
import { countTimes, nextTime, nextTimes, problemOf, type Rule } from './service/times.ts';

const rule = (given: Partial<Rule> & { startsAt: Date }): Rule => ({
  type: 'recurring',
  timeZone: 'Europe/Berlin',
  intervalType: 'day',
  intervalValue: 1,
  allowedDays: weekdays,
  ...given,
});
const at = (time: string) => new Date(time);
const local = (times: Date[], timeZone = 'Europe/Berlin') =>
  times.map((time) => time.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }));
const year = 366 * 86_400_000;

describe('two years in a time zone with summer time', () => {
  test('every day keeps its time of day, once each day', () => {
    const daily = rule({ startsAt: at('2026-01-01T06:00:00Z') });
    const times = nextTimes(daily, at('2025-12-31T00:00:00Z'), 730);
    expect(new Set(local(times).map((time) => time.slice(11)))).toEqual(new Set(['07:00']));
    expect(new Set(local(times).map((time) => time.slice(0, 10))).size).toBe(730);
    expect(times.at(-1)).toEqual(at('2027-12-31T06:00:00Z'));
  });

  test('a time of day that does not exist is moved, one that comes twice is taken once', () => {
    const early = rule({ startsAt: at('2026-01-01T01:30:00Z') });
    expect(local(nextTimes(early, at('2026-03-27T12:00:00Z'), 3))).toEqual([
      '2026-03-28 02:30',
      '2026-03-29 03:30',
      '2026-03-30 02:30',
    ]);
    const autumn = nextTimes(early, at('2026-10-24T12:00:00Z'), 2);
    expect(autumn).toEqual([at('2026-10-25T00:30:00Z'), at('2026-10-26T01:30:00Z')]);
  });

  test('hours are elapsed time: none is left out, none comes twice', () => {
    const hourly = rule({ startsAt: at('2026-01-01T00:00:00Z'), intervalType: 'hour' });
    const times = nextTimes(hourly, at('2025-12-31T23:59:59Z'), 2 * 365 * 24);
    const gaps = new Set(times.slice(1).map((time, index) => time.getTime() - (times[index]?.getTime() ?? 0)));
    expect(gaps).toEqual(new Set([3_600_000]));
  });
});

describe('months', () => {
  test('the 31st is the last day of a shorter month, and the 31st again after it', () => {
    const monthly = rule({ startsAt: at('2026-01-31T12:00:00Z'), intervalType: 'month', timeZone: 'UTC' });
    expect(local(nextTimes(monthly, at('2026-01-31T11:00:00Z'), 5), 'UTC')).toEqual([
      '2026-01-31 12:00',
      '2026-02-28 12:00',
      '2026-03-31 12:00',
      '2026-04-30 12:00',
      '2026-05-31 12:00',
    ]);
  });

  test('29 February each year is the 28th where there is none', () => {
    const yearly = rule({
      startsAt: at('2028-02-29T12:00:00Z'),
      intervalType: 'month',
      intervalValue: 12,
      timeZone: 'UTC',
    });
    expect(local(nextTimes(yearly, at('2028-01-01T00:00:00Z'), 5), 'UTC').map((time) => time.slice(0, 10))).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ]);
  });
});

describe('allowed days', () => {
  test('every week on several days, every second week', () => {
    const weekly = rule({
      // A Wednesday.
      startsAt: at('2026-11-18T08:00:00Z'),
      intervalType: 'week',
      intervalValue: 2,
      allowedDays: ['mon', 'thu'],
      timeZone: 'UTC',
    });
    expect(local(nextTimes(weekly, at('2026-11-17T00:00:00Z'), 4), 'UTC')).toEqual([
      '2026-11-19 08:00',
      '2026-11-30 08:00',
      '2026-12-03 08:00',
      '2026-12-14 08:00',
    ]);
  });

  test('days are those of the time zone, not of the server', () => {
    const mondays = rule({
      startsAt: at('2026-11-15T22:30:00Z'),
      timeZone: 'Pacific/Auckland',
      allowedDays: ['mon'],
    });
    // Sunday evening in UTC is Monday in Auckland.
    expect(nextTime(mondays, at('2026-11-15T00:00:00Z'))).toEqual(at('2026-11-15T22:30:00Z'));
  });

  test('minutes leave out the days between', () => {
    const often = rule({
      startsAt: at('2026-11-16T00:00:00Z'),
      intervalType: 'minute',
      intervalValue: 7,
      allowedDays: ['mon'],
      timeZone: 'UTC',
    });
    const next = nextTime(often, at('2026-11-16T23:58:00Z'));
    expect(next?.toISOString().slice(0, 10)).toBe('2026-11-23');
    expect(((next?.getTime() ?? 0) - often.startsAt.getTime()) % (7 * 60_000)).toBe(0);
    // Not a step is left out at the beginning of the day.
    expect((next?.getTime() ?? 0) - at('2026-11-23T00:00:00Z').getTime()).toBeLessThan(7 * 60_000);
  });
});

test('every time follows the one before it, whatever the settings', () => {
  for (const intervalType of ['minute', 'hour', 'day', 'week', 'month'] as const)
    for (const intervalValue of [1, 5, 13])
      for (const timeZone of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
        const each = rule({ startsAt: at('2026-03-07T06:45:00Z'), intervalType, intervalValue, timeZone });
        const times = nextTimes(each, at('2026-03-01T00:00:00Z'), 40);
        expect(times).toHaveLength(40);
        expect(times[0]).toEqual(each.startsAt);
        expect([...times].sort((one, other) => one.getTime() - other.getTime())).toEqual(times);
        // Asked at any moment between two, it is the second.
        for (const [index, time] of times.slice(1).entries()) {
          const before = times[index] ?? time;
          expect(nextTime(each, new Date((before.getTime() + time.getTime()) / 2))).toEqual(time);
          expect(nextTime(each, before)).toEqual(time);
        }
      }
});

test('what cannot be kept is said', () => {
  const now = at('2026-11-17T12:00:00Z');
  const once = rule({ type: 'one_off', startsAt: at('2026-11-17T11:00:00Z') });
  expect(problemOf(once, now)).toMatchObject({ field: 'starts_at' });
  expect(problemOf({ ...once, startsAt: new Date(now.getTime() + year) }, now)).toBeNull();
  expect(nextTime(once, now)).toBeNull();
  const weeklyByDays = rule({ startsAt: at('2026-11-16T12:00:00Z'), intervalValue: 7, allowedDays: ['tue'] });
  expect(problemOf(weeklyByDays, now)).toMatchObject({ field: 'allowed_days' });
  const tooOften = rule({ startsAt: now, intervalType: 'minute', intervalValue: 4 });
  expect(problemOf(tooOften, now)).toMatchObject({ field: 'interval_value' });
});

test('missed times are counted up to a limit', () => {
  const hourly = rule({ startsAt: at('2026-11-01T00:00:00Z'), intervalType: 'hour', timeZone: 'UTC' });
  expect(countTimes(hourly, at('2026-11-01T00:00:00Z'), at('2026-11-01T05:59:00Z'), 100)).toBe(5);
  expect(countTimes(hourly, at('2026-11-01T00:00:00Z'), at('2027-11-01T00:00:00Z'), 100)).toBe(100);
});
