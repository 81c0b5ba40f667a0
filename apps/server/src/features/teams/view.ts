import {
  type JoinRequest,
  permissionsOfRole,
  type Team,
  type TeamDetail,
  type TeamInvite,
  type TeamMember,
  type TeamSummary,
  teamAbilities,
} from '@atoll/contract';
import { assetUrl } from '../uploads/view.ts';
import { requestView } from '../users/requests.ts';
import type { InviteWithPerson } from './service/invites.ts';
import type { JoinRequest as JoinRequestOfTeam } from './service/join.ts';
import type { Member } from './service/members.ts';
import type { TeamDetails, TeamWithRelations } from './service/relations.ts';
import type { TeamRow } from './table.ts';

export const teamSummaryView = (team: Pick<TeamRow, 'id' | 'name' | 'icon' | 'thumbnailAssetId'>): TeamSummary => ({
  id: team.id,
  name: team.name,
  icon: team.icon,
  thumbnail: assetUrl(team.thumbnailAssetId),
});

export const teamView = ({ team, role, request, ...found }: TeamWithRelations): Team => ({
  ...teamSummaryView(team),
  description: team.description,
  created_by: found.createdBy,
  users_count: team.usersCount,
  projects_count: team.projectsCount,
  discovery: team.discovery,
  is_discoverable: team.discovery !== 'private',
  is_join_approvable: team.discovery === 'public',
  contact_email: team.contactEmail,
  membership_status: role ?? (request ? 'pending' : 'not_member'),
  last_members: found.lastMembers,
  created_at: team.createdAt.toISOString(),
  updated_at: team.updatedAt.toISOString(),
  permissions: teamAbilities.filter((ability) => found.abilities.includes(ability)),
});

export const teamDetailView = (found: TeamDetails): TeamDetail => ({
  ...teamView(found),
  join_request_id: found.request?.id ?? null,
  is_invited: found.isInvited,
  pending_requests: found.pendingRequests,
});

export const memberView = (member: Member): TeamMember => ({
  user: member.person,
  role: member.role,
  created_at: member.createdAt.toISOString(),
  permissions: member.rights,
});

export const joinRequestView = (request: JoinRequestOfTeam): JoinRequest => ({
  ...requestView(request),
  team: teamSummaryView(request.team),
});

export const inviteView = (invite: InviteWithPerson): TeamInvite => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  permissions: permissionsOfRole(invite.role),
  referral_code: invite.referralCode,
  message: invite.message,
  invited_by: invite.invitedBy,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
});
