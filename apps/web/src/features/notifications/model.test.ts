import type { Notification } from '@atoll/contract/notifications/entity';
import { expect, it } from 'vitest';
import { dayOf, linesOf, severalOf } from './model.ts';

const person = (name: string) => ({ id: name, user_name: name, first_name: '', last_name: '', avatar: null });
const news = (fields: Partial<Notification>): Notification => ({
  id: Math.random().toString(),
  type: 'comment_liked',
  source_user: person('ada'),
  subject_user: null,
  subject_team: null,
  entity: null,
  project: { id: 'p', name: 'Tides' },
  metadata: {},
  created_at: '2026-11-15T10:00:00.000Z',
  seen_at: null,
  ...fields,
});

it('tells the same about the same thing in one line, naming two', () => {
  const lines = linesOf([
    news({ source_user: person('ada') }),
    news({ source_user: person('bob') }),
    news({ source_user: person('eve') }),
    news({ type: 'comment_replied' }),
    news({ source_user: person('bob'), seen_at: '2026-11-15T11:00:00.000Z' }),
    news({ type: 'team_joined', subject_user: person('bob') }),
    news({ type: 'team_joined', subject_user: person('eve') }),
  ]);
  expect(lines.map((line) => line.all.length)).toEqual([3, 1, 1, 1, 1]);
  expect(lines.map(severalOf)).toEqual(['ada, bob and 1 more', undefined, undefined, undefined, undefined]);
});

it('names days', () => {
  const now = new Date(2026, 10, 15, 1);
  expect(dayOf(new Date(2026, 10, 15, 0, 30).toISOString(), now)).toBe('Today');
  expect(dayOf(new Date(2026, 10, 14, 23).toISOString(), now)).toBe('Yesterday');
});
