import type { PublicUser } from '@atoll/contract/users/entity';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { type Call, renderPart } from '../../../test/render.tsx';
import type { ProfileTab } from '../model.ts';
import { PersonPage } from './profile-page.tsx';

const person = (over: Partial<PublicUser> = {}): PublicUser => ({
  id: 'zoe',
  user_name: 'zoe',
  first_name: 'Zoe',
  last_name: 'Quinn',
  avatar: null,
  avatar_icon: null,
  headline: 'Maps and models',
  company_name: 'Tide',
  company_position: 'Analyst',
  social_urls: {
    website: 'https://zoe.test',
    blog: 'javascript:alert(1)',
    twitter: null,
    linkedin: null,
    facebook: null,
  },
  link: '/users/zoe',
  is_followed_by_you: false,
  followers_count: 2,
  following_count: 0,
  is_discoverable: true,
  referral_code: null,
  signup_date: '2026-11-15T10:00:00.000Z',
  permissions: ['follow'],
  ...over,
});

const page = (...entries: object[]) => ({ entries, total: entries.length, page: 1, page_size: 50 });

async function open(user: PublicUser, tab: ProfileTab, over: Record<string, unknown> = {}) {
  const calls: Call[] = [];
  const answers: Record<string, unknown> = {
    [`/v1/users/by_user_name/${user.user_name}`]: user,
    [`/v1/users/${user.id}/follows`]: page(),
    '/v1/notebooks': page(),
    ...over,
  };
  await renderPart(
    { registry: new FeatureRegistry([]), answers, calls },
    <PersonPage username={user.user_name} tab={tab} />,
  );
  await screen.findByRole('navigation', { name: 'About this person' });
  return { answers, calls };
}

it('says who somebody is, with links to the web only', async () => {
  await open(person(), 'published');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Zoe Quinn');
  expect(screen.getByText('Analyst, Tide')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Website' }).getAttribute('href')).toBe('https://zoe.test');
  expect(screen.queryByRole('link', { name: 'Blog' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Edit profile' })).toBeNull();
});

it('follows somebody, and shows what the server made of it', async () => {
  const followed = person({ is_followed_by_you: true, followers_count: 3 });
  const { answers, calls } = await open(person(), 'published', { '/v1/users/zoe/follow': followed });
  answers['/v1/users/by_user_name/zoe'] = followed;
  fireEvent.click(screen.getByRole('button', { name: 'Follow' }));
  expect(await screen.findByRole('button', { name: 'Following', pressed: true })).toBeTruthy();
  await waitFor(() =>
    expect(calls).toContainEqual(expect.objectContaining({ method: 'POST', path: '/v1/users/zoe/follow' })),
  );
});

it.each([
  [person(), 'followers', 'Zoe Quinn has no followers yet.'],
  [person(), 'following', 'Zoe Quinn follows no one yet.'],
  [person({ id: 'me', user_name: 'me' }), 'followers', 'You have no followers yet.'],
  [person({ id: 'me', user_name: 'me' }), 'following', 'You follow no one yet.'],
] as const)('says of an empty list whose it is: %#', async (user, tab, words) => {
  await open(user, tab);
  expect(await screen.findByText(words)).toBeTruthy();
});
