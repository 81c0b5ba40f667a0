import { expect, test } from 'vitest';
import { changeLines, durationWords, parseUsersSearch, sizeWords, sourceWords } from './model.ts';

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

test('changes, sizes, times and sources are put in words', () => {
  expect(changeLines({ before: { plan: 'Free' }, after: { plan: 'Pro', name: '' } })).toEqual([
    'plan: Free → Pro',
    'name: none',
  ]);
  expect(changeLines({ before: null, after: null })).toEqual([]);
  expect([0, 900, 1536, 20 * 1024 ** 3].map(sizeWords)).toEqual(['0 B', '900 B', '1.5 KB', '20 GB']);
  expect([900, 90_000, 5_400_000].map(durationWords)).toEqual(['1 s', '2 min', '1.5 h']);
  const feature = { name: 'gpu' as const, is_enabled: true };
  expect(sourceWords({ ...feature, source: 'role', source_name: 'Beta' })).toBe('Role Beta');
});
