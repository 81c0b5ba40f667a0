import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { done, email, flag, id, line, list, page, text } from '../fields.ts';
import { notification } from '../notifications/entity.ts';
import { project } from '../projects/entity.ts';
import { requestStatuses } from '../requests.ts';
import { roleOfPermissions, teamAbilities } from './access.ts';
import {
  givenTeamRole,
  joinRequest,
  team,
  teamDetail,
  teamFields,
  teamInvite,
  teamMember,
  teamName,
} from './entity.ts';

const about = { tag: 'Teams', flag: 'teams' } as const;
const byId = z.strictObject({ id });
const byRequest = z.strictObject({ id, requestId: id });
/** Teams count their pages from 0 (spec section 9). */
const zeroPage = z.coerce.number().int().min(0).max(1_000_000).default(0);
const paged = { page: page(1), page_size: page(100, 100) };

export const teamSorts = ['created_at', 'name', 'updated_at', 'users_count', 'projects_count'] as const;
export const teamModes = ['my', 'discoverable', 'all'] as const;
export const teamListQuery = z.strictObject({
  page: zeroPage,
  page_size: page(100, 100),
  sort_by: z.enum(teamSorts).default('created_at'),
  sort_direction: z.enum(['asc', 'desc']).default('desc'),
  search: line(100).optional(),
  mode: z.enum(teamModes).default('my'),
  member_id: id.optional().describe('Only teams this person is in, as far as the caller may see them'),
  can_share_to: flag.optional().describe('Only teams the caller may share projects to'),
});
export type TeamListQuery = z.infer<typeof teamListQuery>;

export const teamEndpoints = {
  list: endpoint('GET', '/v1/teams', { permission: 'team.list', ...about, summary: 'Teams' })
    .input(teamListQuery)
    .output(list(team)),

  create: endpoint('POST', '/v1/teams', {
    permission: 'team.create',
    ...about,
    summary: 'Create a team',
    description: 'With `dry_run` it is only checked, and nothing is created.',
  })
    .input(
      z.strictObject({
        name: teamName,
        description: teamFields.description.default(''),
        icon: teamFields.icon.optional(),
        discovery: teamFields.discovery.default('private'),
        contact_email: teamFields.contact_email.optional(),
        dry_run: z.boolean().default(false),
      }),
    )
    .output(teamDetail.nullable()),

  get: endpoint('GET', '/v1/teams/{id}', {
    permission: 'team.view',
    ...about,
    summary: 'A team',
    description: 'A private one is seen by its members, and by whom it has invited.',
  })
    .input(z.strictObject({ id, invite: line(100).optional().describe('The token of a link') }))
    .output(teamDetail),

  update: endpoint('PATCH', '/v1/teams/{id}', { permission: 'team.edit', ...about, summary: 'Update a team' })
    .input(
      z.strictObject({
        id,
        name: teamName.optional(),
        description: teamFields.description.optional(),
        icon: teamFields.icon.optional(),
        discovery: teamFields.discovery.optional(),
        contact_email: teamFields.contact_email.optional(),
      }),
    )
    .output(teamDetail),

  delete: endpoint('DELETE', '/v1/teams/{id}', {
    permission: 'team.delete',
    ...about,
    summary: 'Delete a team',
    description: 'Projects stay with their owners; grants to the team end.',
  })
    .input(byId)
    .output(done),

  setThumbnail: endpoint('POST', '/v1/teams/{id}/thumbnail', {
    permission: 'team.edit',
    ...about,
    summary: 'Set the picture of a team',
  })
    .input(z.strictObject({ id, upload_id: id }))
    .output(teamDetail),

  removeThumbnail: endpoint('DELETE', '/v1/teams/{id}/thumbnail', {
    permission: 'team.edit',
    ...about,
    summary: 'Remove the picture of a team',
  })
    .input(byId)
    .output(teamDetail),

  members: endpoint('GET', '/v1/teams/{id}/members', {
    permission: 'team.view',
    ...about,
    summary: 'Members of a team',
  })
    .input(z.strictObject({ id, ...paged, search: line(100).optional() }))
    .output(list(teamMember)),

  changeMember: endpoint('PATCH', '/v1/teams/{id}/members/{userId}', {
    permission: 'team.edit',
    ...about,
    summary: 'Change the role of a member',
  })
    .input(z.strictObject({ id, userId: id, role: givenTeamRole }))
    .output(teamMember),

  removeMember: endpoint('DELETE', '/v1/teams/{id}/members/{userId}', {
    permission: 'team.edit',
    ...about,
    summary: 'Remove a member from a team',
  })
    .input(z.strictObject({ id, userId: id }))
    .output(done),

  joinRequests: endpoint('GET', '/v1/teams/{id}/join_requests', {
    permission: 'team.edit',
    ...about,
    summary: 'Requests to join a team',
  })
    .input(z.strictObject({ id, ...paged, status: z.enum(requestStatuses).optional() }))
    .output(list(joinRequest)),

  requestToJoin: endpoint('POST', '/v1/teams/{id}/join_requests', {
    permission: 'team.join',
    ...about,
    summary: 'Request to join a team',
    description: 'An open team is joined at once. A private one answers 404, as if it did not exist.',
  })
    .input(z.strictObject({ id, reason: text(1_000).default('') }))
    .output(joinRequest),

  activeJoinRequest: endpoint('GET', '/v1/teams/{id}/join_requests/active', {
    permission: 'team.join',
    ...about,
    summary: 'My open request',
  })
    .input(byId)
    .output(joinRequest.nullable()),

  cancelJoinRequest: endpoint('DELETE', '/v1/teams/{id}/join_requests/{requestId}', {
    permission: 'team.join',
    ...about,
    summary: 'Cancel a request',
  })
    .input(byRequest)
    .output(joinRequest),

  approveJoinRequest: endpoint('POST', '/v1/teams/{id}/join_requests/{requestId}/approve', {
    permission: 'team.edit',
    ...about,
    summary: 'Approve a join request',
    description: 'Answers 409 when it was already answered or canceled.',
  })
    .input(byRequest.extend({ role: givenTeamRole.default('member') }))
    .output(joinRequest),

  rejectJoinRequest: endpoint('POST', '/v1/teams/{id}/join_requests/{requestId}/reject', {
    permission: 'team.edit',
    ...about,
    summary: 'Decline a join request',
    description: 'Answers 409 when it was already answered or canceled.',
  })
    .input(byRequest)
    .output(joinRequest),

  join: endpoint('POST', '/v1/teams/{id}/join', {
    permission: 'team.join',
    ...about,
    summary: 'Join a team by an invitation',
    description: 'By the token of a link, or because the team has invited the address of this account.',
  })
    .input(z.strictObject({ id, invite: line(100).optional() }))
    .output(teamDetail),

  leave: endpoint('POST', '/v1/teams/{id}/leave', {
    permission: 'team.leave',
    ...about,
    summary: 'Leave a team',
    description: 'Its owner hands it over first.',
  })
    .input(byId)
    .output(done),

  transfer: endpoint('PATCH', '/v1/teams/{id}/owner', {
    permission: 'team.transfer',
    ...about,
    summary: 'Transfer a team to another member',
  })
    .input(z.strictObject({ id, user_id: id }))
    .output(teamDetail),

  invites: endpoint('GET', '/v1/teams/{id}/invites', {
    permission: 'team.edit',
    ...about,
    summary: 'Open invitations',
  })
    .input(z.strictObject({ id, ...paged }))
    .output(list(teamInvite)),

  invite: endpoint('POST', '/v1/teams/{id}/invites', {
    permission: 'team.edit',
    limit: 'mail',
    ...about,
    summary: 'Invite a person to a team',
    description: 'By mail; without an address, by a link, which only this answer contains.',
  })
    .input(
      z.strictObject({
        id,
        email: email.toLowerCase().optional(),
        role: givenTeamRole.optional().describe('A member, unless `permissions` name another'),
        permissions: z
          .array(z.enum(teamAbilities))
          .refine((given) => roleOfPermissions(given) !== null, 'Must be those of a guest, a member or an admin')
          .optional(),
        referral_code: line(40).optional().describe("The sender's own unless another of theirs is named"),
        message: text(1_000).default(''),
      }),
    )
    .output(teamInvite.extend({ url: z.string().nullable() })),

  removeInvite: endpoint('DELETE', '/v1/teams/{id}/invites/{inviteId}', {
    permission: 'team.edit',
    ...about,
    summary: 'Cancel an invitation',
  })
    .input(z.strictObject({ id, inviteId: id }))
    .output(done),

  projects: endpoint('GET', '/v1/teams/{id}/notebooks', {
    permission: 'team.view',
    ...about,
    summary: 'Projects shared with a team, as far as the caller may see them',
  })
    .input(z.strictObject({ id, ...paged, search: line(100).optional() }))
    .output(list(project)),

  notifications: endpoint('GET', '/v1/teams/{id}/notifications', {
    permission: 'team.view',
    ...about,
    summary: 'Activity of a team',
    description: 'For its members.',
  })
    .input(z.strictObject({ id, page: page(1), page_size: page(10, 100) }))
    .output(list(notification)),
};
