import { expect, test } from 'vitest';
import {
  changeLines,
  dropWords,
  durationWords,
  funnelSteps,
  lastDays,
  limitProblem,
  parseUsersSearch,
  sourceWords,
  typedLimit,
} from './model.ts';

test('an address says only what it can mean', () => {
  expect(parseUsersSearch({ state: 'x', sort: 'balance', page: '-1', search: '', plan: 'Pro' })).toEqual({
    search: undefined,
    state: undefined,
    role: undefined,
    role_id: undefined,
    plan: 'Pro',
    sort: 'balance',
    direction: undefined,
    page: undefined,
  });
});

test('changes, times and sources are put in words', () => {
  expect(changeLines({ before: { plan: 'Free' }, after: { plan: 'Pro', name: '' } })).toEqual([
    'plan: Free → Pro',
    'name: none',
  ]);
  expect(changeLines({ before: null, after: null })).toEqual([]);
  expect([900, 90_000, 5_400_000].map(durationWords)).toEqual(['1 s', '2 min', '1.5 h']);
  const feature = { name: 'trade' as const, is_enabled: true };
  expect(sourceWords({ ...feature, source: 'role', source_name: 'Beta' })).toBe('Role Beta');
});

test('a funnel, its days and the limits of a role are read and put in words', () => {
  expect([funnelSteps(undefined), funnelSteps('a,,b'), funnelSteps('1,2,3,4,5,6')]).toEqual([
    [],
    ['a', 'b'],
    ['1', '2', '3', '4', '5'],
  ]);
  expect([dropWords(5, undefined), dropWords(5, 20), dropWords(0, 0)]).toEqual([
    '',
    '25% went on, 15 left',
    'No one reached the step before',
  ]);
  const days = lastDays([{ day: '2026-11-16', value: 3 }], Date.parse('2026-11-17T10:00:00Z'));
  expect([days.length, days.at(-2), days.at(-1)?.value]).toEqual([30, { day: '2026-11-16', value: 3 }, 0]);
  expect(['', ' Unlimited', '40'].map(typedLimit)).toEqual([undefined, null, 40]);
  expect(['', 'unlimited', '40', 'many', '-1', '1.5'].map((typed) => limitProblem(typed) === null)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
