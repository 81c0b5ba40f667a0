import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { helpFor } from './denial-help.ts';
import { RealtimeError } from './realtime/errors.ts';

const denied = (details: Record<string, unknown>) =>
  new ApiError({
    message: 'No',
    status: 403,
    code: 'forbidden',
    fields: {},
    details: { reason: 'usage_limit_reached', ...details },
  });

test.each([
  [denied({ needed: 40, balance: 0 }), '/wallet'],
  [denied({ renews_at: '2026-12-01T00:00:00.000Z' }), '/usage#extension'],
  [denied({ renews_at: null }), '/sign-up'],
  [denied({ limit: 5 }), '/pricing'],
  [denied({ reason: 'no_permissions' }), undefined],
  [new Error('x'), undefined],
])('a denial leads to what would help', (error, path) => expect(helpFor(error)?.path).toBe(path));

test('so does one of a command', () => {
  const refusal = { reason: 'usage_limit_reached', details: { renews_at: '2026-12-01T00:00:00.000Z' } };
  expect(helpFor(new RealtimeError('No', refusal))?.label).toBe('Buy execution time');
  const told = new Error('No time left', { cause: new RealtimeError('No', refusal) });
  expect(helpFor(told)?.path).toBe('/usage#extension');
});
