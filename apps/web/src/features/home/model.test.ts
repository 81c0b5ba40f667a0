import type { Session } from '@atoll/contract/session/entity';
import type { Theme } from '@atoll/contract/theme/entity';
import { describe, expect, it } from 'vitest';
import { greeting, latest, steps } from './model.ts';

const theme = { name: 'Reef', logo: null, parent_meta: { name: 'Reef', web_name: 'reef' } } as Theme;
const person = (over: Partial<Session>) => ({ is_guest: false, is_admin: false, first_name: '', ...over }) as Session;
const nothing = { hasProject: false, hasRun: false, hasPeople: false };
const said = (session: Session, progress = nothing) =>
  steps(session, theme, progress).map(({ id, isDone }) => `${id}${isDone ? ' done' : ''}`);

describe('steps', () => {
  it('lead a guest to a run, and then to an account', () =>
    expect(said(person({ is_guest: true }))).toEqual(['project', 'run', 'account']));
  it('lead a newcomer to a run and to others, and show what is done', () =>
    expect(said(person({}), { ...nothing, hasProject: true })).toEqual(['project done', 'run', 'people']));
  it('let an admin brand the workspace', () =>
    expect(said(person({ is_admin: true, has_password: true }))).toEqual(['brand', 'project', 'run']));
  it('first give an admin without a password a way back in', () =>
    expect(said(person({ is_admin: true }))).toEqual(['secure', 'project', 'run']));
});

describe('greeting', () => {
  it.each([
    [2, 'Good evening'],
    [9, 'Good morning'],
    [14, 'Good afternoon'],
    [21, 'Good evening'],
  ])('at %i says %s', (hour, expected) => expect(greeting(hour)).toBe(expected));
});

it('puts what was changed last first, whoever it belongs to', () => {
  const at = (updated_at: string) => ({ updated_at });
  expect(latest([[at('2026-03'), at('2026-01')], [at('2026-02')]], 2)).toEqual([at('2026-03'), at('2026-02')]);
});
