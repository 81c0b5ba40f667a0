import type { MembershipStatus, TeamDiscovery, TeamRole } from '@atoll/contract/teams/access';
import type { TeamListQuery } from '@atoll/contract/teams/endpoints';
import { type Icon, IconEye, IconLock, IconWorld } from '@tabler/icons-react';

export const roleWords: Record<TeamRole, { label: string; text: string }> = {
  owner: { label: 'Owner', text: 'Full control of the team' },
  admin: { label: 'Administrator', text: 'Can also manage members and settings' },
  member: { label: 'Member', text: 'Can view the team and share projects with it' },
  guest: { label: 'Guest', text: 'Can only view the team and its projects' },
};

export const statusWords: Record<MembershipStatus, string> = {
  ...{ owner: 'Owner', admin: 'Administrator', member: 'Member', guest: 'Guest' },
  pending: 'Pending',
  not_member: '',
};

export const discoveryWords: Record<TeamDiscovery, { label: string; text: string; icon: Icon }> = {
  private: { label: 'Private', text: 'By invitation only; not listed', icon: IconLock },
  public: { label: 'Public', text: 'Listed; an administrator approves new members', icon: IconEye },
  open: { label: 'Open', text: 'Listed; everyone can join', icon: IconWorld },
};

export const teamTabs = ['projects', 'publications', 'members', 'feed', 'requests', 'invites', 'settings'] as const;
export type TeamTab = (typeof teamTabs)[number];
export const parseTeamTab = (tab: string | undefined): TeamTab => teamTabs.find((each) => each === tab) ?? 'projects';

export interface TeamsSearch {
  mode?: 'discoverable';
  search?: string;
  sort_by?: TeamListQuery['sort_by'];
  page?: number;
}

export const teamSorts: Record<TeamListQuery['sort_by'], string> = {
  created_at: 'Newest',
  name: 'Name',
  updated_at: 'Last updated',
  users_count: 'Most members',
  projects_count: 'Most projects',
};

export function parseTeamsSearch(search: Record<string, unknown>): TeamsSearch {
  const page = Number(search.page);
  return {
    mode: search.mode === 'discoverable' ? 'discoverable' : undefined,
    search: typeof search.search === 'string' && search.search ? search.search.slice(0, 100) : undefined,
    sort_by: (Object.keys(teamSorts) as TeamListQuery['sort_by'][]).find((each) => each === search.sort_by),
    page: Number.isInteger(page) && page > 0 ? page : undefined,
  };
}

export const toTeamsQuery = ({ mode, search, sort_by, page }: TeamsSearch) => ({
  mode: mode ?? ('my' as const),
  search,
  sort_by,
  sort_direction: sort_by === 'name' ? ('asc' as const) : ('desc' as const),
  page: page ?? 0,
  page_size: teamsOnPage,
});
export const teamsOnPage = 24;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
