import type { Session } from '@atoll/contract/session/entity';
import type { Theme } from '@atoll/contract/theme/entity';
import { describe, expect, it } from 'vitest';
import { greeting, steps } from './model.ts';

const theme = { name: 'Reef', logo: null, parent_meta: { name: 'Reef', web_name: 'reef' } } as Theme;
const person = (over: Partial<Session>) => ({ is_guest: false, is_admin: false, first_name: '', ...over }) as Session;
const said = (session: Session) => steps(session, theme).map(({ id, isDone }) => `${id}${isDone ? ' done' : ''}`);

describe('steps', () => {
  it('invites a guest', () => expect(said(person({ is_guest: true }))).toEqual(['account', 'look', 'about']));
  it('shows a newcomer what is done', () => expect(said(person({}))).toEqual(['account done', 'profile', 'look']));
  it('lets an admin brand the workspace', () =>
    expect(said(person({ is_admin: true, has_password: true }))).toEqual(['brand', 'profile', 'look']));
  it('first gives an admin without a password a way back in', () =>
    expect(said(person({ is_admin: true }))).toEqual(['secure', 'brand', 'profile']));
  it('sees a finished profile and a chosen look', () => {
    const preferences = { theme_mode: 'dark' } as Session['preferences'];
    const done = person({ first_name: 'Ada', headline: 'Numbers', avatar: '/a.png', preferences });
    expect(said(done)).toEqual(['account done', 'profile done', 'look done']);
  });
});

describe('greeting', () => {
  it.each([
    [2, 'Good evening'],
    [9, 'Good morning'],
    [14, 'Good afternoon'],
    [21, 'Good evening'],
  ])('at %i says %s', (hour, expected) => expect(greeting(hour)).toBe(expected));
});
