import type { AccessRequest, ProjectInvite, TeamPermission, UserPermission } from '@atoll/contract';
import { teamSummaryView } from '../teams/view.ts';
import { requestView } from '../users/requests.ts';
import type { Invite } from './service/invites.ts';
import type { UserGrant } from './service/people.ts';
import type { Request } from './service/requests.ts';
import type { TeamGrant } from './service/teams.ts';

export const userPermissionView = (grant: UserGrant): UserPermission => ({
  id: grant.id,
  user: grant.person,
  permissions: grant.permissions,
  is_author: grant.isAuthor,
  created_at: grant.createdAt.toISOString(),
});

export const teamPermissionView = (grant: TeamGrant): TeamPermission => ({
  id: grant.id,
  team: { ...teamSummaryView(grant.team), users_count: grant.team.usersCount },
  permissions: grant.permissions,
  created_at: grant.createdAt.toISOString(),
});

export const projectInviteView = (invite: Invite): ProjectInvite => ({
  id: invite.id,
  email: invite.email,
  permissions: invite.permissions,
  message: invite.message,
  status: invite.isAccepted ? 'accepted' : 'pending',
  created_at: invite.createdAt.toISOString(),
});

export const accessRequestView = (request: Request): AccessRequest => ({
  ...requestView(request),
  project: { id: request.projectId, name: request.projectName },
});
