import type { TeamDetail, TeamMember } from '@atoll/contract/teams/entity';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FeatureRegistry } from '../../../platform/features/registry.ts';
import { type Call, renderPart } from '../../../test/render.tsx';
import { TeamPage } from './team-page.tsx';

const team = (over: Partial<TeamDetail> = {}): TeamDetail => ({
  id: 't',
  name: 'Tide',
  icon: null,
  thumbnail: null,
  description: '',
  created_by: null,
  users_count: 2,
  projects_count: 0,
  discovery: 'public',
  is_discoverable: true,
  is_join_approvable: true,
  contact_email: null,
  membership_status: 'admin',
  last_members: [],
  created_at: '2026-11-15T10:00:00.000Z',
  updated_at: '2026-11-15T10:00:00.000Z',
  permissions: ['view', 'edit'],
  join_request_id: null,
  is_invited: false,
  pending_requests: 1,
  ...over,
});

const member = (id: string, over: Partial<TeamMember> = {}): TeamMember => ({
  user: { id, user_name: id, first_name: '', last_name: '', avatar: null },
  role: 'member',
  created_at: '2026-11-15T10:00:00.000Z',
  permissions: [],
  ...over,
});

const page = (...entries: object[]) => ({ entries, total: entries.length, page: 1, page_size: 50 });

async function open(detail: TeamDetail): Promise<Call[]> {
  const calls: Call[] = [];
  const answers = {
    '/v1/teams/t': detail,
    '/v1/teams/t/members': page(member('ann', { role: 'owner' }), member('zoe', { permissions: ['edit', 'delete'] })),
    '/v1/teams/t/members/zoe': member('zoe', { role: 'admin' }),
  };
  await renderPart({ registry: new FeatureRegistry([]), answers, calls }, <TeamPage teamId="t" tab="members" />);
  await screen.findByRole('list', { name: 'Members' });
  return calls;
}

const tabs = () =>
  [...screen.getByRole('navigation', { name: 'About this team' }).querySelectorAll('a')].map((tab) => tab.textContent);

it('shows who manages the team what they need for it', async () => {
  await open(team());
  expect(tabs()).toEqual(['Projects', 'Publications', 'Members2', 'Activity', 'Requests1', 'Invitations', 'Settings']);
  expect(screen.getByRole('link', { name: 'Invite' })).toBeTruthy();
});

it('shows others what everybody may see', async () => {
  await open(team({ membership_status: 'not_member', permissions: ['view'], pending_requests: 0 }));
  expect(tabs()).toEqual(['Projects', 'Publications', 'Members2']);
  expect(screen.queryByRole('link', { name: 'Invite' })).toBeNull();
});

it('changes the role of those whose role may be changed', async () => {
  const calls = await open(team());
  const role = await screen.findByRole('combobox', { name: 'Role of zoe' });
  expect(screen.queryByRole('combobox', { name: 'Role of ann' })).toBeNull();
  fireEvent.change(role, { target: { value: 'admin' } });
  await waitFor(() =>
    expect(calls).toContainEqual({ method: 'PATCH', path: '/v1/teams/t/members/zoe', body: { role: 'admin' } }),
  );
});
