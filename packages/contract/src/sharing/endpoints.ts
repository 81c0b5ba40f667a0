import { z } from 'zod';
import { activityEntry } from '../activity.ts';
import { endpoint } from '../endpoint.ts';
import { done, email, id, line, list, page as paged, text, time } from '../fields.ts';
import { projectPermissions, sharingPresets } from '../projects/access.ts';
import { personSummary } from '../projects/entity.ts';
import { requestStatuses } from '../requests.ts';
import { teamSummary } from '../teams/entity.ts';

const tag = 'Sharing';

/** The permissions of a person in another person's project. */
export const userPermission = z.object({
  id,
  user: personSummary,
  permissions: z.array(z.enum(projectPermissions)),
  is_author: z.boolean().describe('Named as an author of the project'),
  created_at: time,
});
export type UserPermission = z.infer<typeof userPermission>;

/** What every member of a team may do with a project; its guests only look. */
export const teamPermission = z.object({
  id,
  team: teamSummary.extend({ users_count: z.int() }),
  permissions: z.array(z.enum(projectPermissions)),
  created_at: time,
});
export type TeamPermission = z.infer<typeof teamPermission>;

export const projectLink = z.object({
  created_at: time,
  created_by: personSummary.nullable(),
  viewers_count: z.int().describe('People and guests who opened the project by it'),
});

/** For a person without an account. */
export const projectInvite = z.object({
  id,
  email: z.string(),
  permissions: z.array(z.enum(projectPermissions)),
  message: z.string(),
  status: z.enum(['pending', 'accepted']).describe('Accepted at once by whom the address belongs to already'),
  created_at: time,
});
export type ProjectInvite = z.infer<typeof projectInvite>;

export const accessRequest = z.object({
  id,
  project: z.object({ id, name: z.string().nullable().describe('Null for people who may not view it') }),
  user: personSummary,
  reason: z.string(),
  status: z.enum(requestStatuses),
  answered_by: personSummary.nullable(),
  created_at: time,
  answered_at: time.nullable(),
});
export type AccessRequest = z.infer<typeof accessRequest>;

const granted = z
  .array(z.enum(projectPermissions))
  .min(1, 'Choose at least one permission')
  .max(projectPermissions.length)
  .describe('Implied permissions are granted too: editing needs viewing');
const byId = z.strictObject({ id, permissionId: id });
const byRequest = z.strictObject({ id, requestId: id });
const page = z.coerce.number().int().min(1).max(1_000_000).default(1);
const pageSize = z.coerce.number().int().min(1).max(100).default(100);

export const sharingEndpoints = {
  listUsers: endpoint('GET', '/v1/notebooks/{id}/user_permissions', {
    permission: 'project.share',
    tag,
    summary: 'People a project is shared with',
  })
    .input(z.strictObject({ id, page, page_size: pageSize }))
    .output(list(userPermission)),

  addUser: endpoint('POST', '/v1/notebooks/{id}/user_permissions', {
    permission: 'project.share',
    tag,
    summary: 'Share a project with a user',
    description: 'People can grant only what they may do themselves. An existing grant is changed.',
  })
    .input(z.strictObject({ id, user_id: id, permissions: granted }))
    .output(userPermission),

  changeUser: endpoint('PATCH', '/v1/notebooks/{id}/user_permissions/{permissionId}', {
    permission: 'project.share',
    tag,
    summary: 'Change what a user may do with a project',
  })
    .input(byId.extend({ permissions: granted }))
    .output(userPermission),

  removeUser: endpoint('DELETE', '/v1/notebooks/{id}/user_permissions/{permissionId}', {
    permission: 'project.unshare',
    tag,
    summary: 'Stop sharing a project with a user, or leave it',
  })
    .input(byId)
    .output(done),

  addAuthor: endpoint('POST', '/v1/notebooks/{id}/user_permissions/{permissionId}/author', {
    permission: 'project.share',
    tag,
    summary: 'Add an author',
  })
    .input(byId)
    .output(userPermission),

  removeAuthor: endpoint('DELETE', '/v1/notebooks/{id}/user_permissions/{permissionId}/author', {
    permission: 'project.share',
    tag,
    summary: 'Remove an author',
  })
    .input(byId)
    .output(userPermission),

  copyLink: endpoint('POST', '/v1/notebooks/{id}/link_copies', {
    permission: 'project.copy_link',
    tag,
    summary: 'Count that the link to a project was copied',
    description: 'Counts once a day for each person.',
  })
    .input(z.strictObject({ id }))
    .output(done),

  link: endpoint('GET', '/v1/notebooks/{id}/link', {
    permission: 'project.share',
    tag,
    summary: 'The view link of a project',
    description: 'Null if there is none. The secret part is returned once, when the link is created.',
  })
    .input(z.strictObject({ id }))
    .output(projectLink.nullable()),

  createLink: endpoint('POST', '/v1/notebooks/{id}/link', {
    permission: 'project.share',
    tag,
    summary: 'Create the link, or a new one in its place',
    description: 'The one before ends, and with it the access of people who came by it.',
  })
    .input(z.strictObject({ id }))
    .output(projectLink.extend({ secret: z.string().describe('Goes behind `/projects/{id}#link=`') })),

  endLink: endpoint('DELETE', '/v1/notebooks/{id}/link', {
    permission: 'project.share',
    tag,
    summary: 'End the link',
    description: 'People who came by it can no longer view the project.',
  })
    .input(z.strictObject({ id }))
    .output(done),

  openLink: endpoint('POST', '/v1/notebooks/{id}/link/open', {
    permission: 'project.open_link',
    limit: 'sign_in',
    tag,
    summary: 'Open a project by its link',
    description: 'From then on the caller, who can be a guest, may view it while the link lasts.',
  })
    .input(z.strictObject({ id, secret: z.string().min(1).max(100) }))
    .output(done),

  listTeams: endpoint('GET', '/v1/notebooks/{id}/team_permissions', {
    permission: 'project.share',
    tag,
    flag: 'teams',
    summary: 'Teams a project is shared with',
  })
    .input(z.strictObject({ id, page, page_size: pageSize }))
    .output(list(teamPermission)),

  addTeam: endpoint('POST', '/v1/notebooks/{id}/team_permissions', {
    permission: 'project.share',
    tag,
    flag: 'teams',
    summary: 'Share a project with a team',
    description: 'A team the caller may share with. An existing grant is changed.',
  })
    .input(z.strictObject({ id, team_id: id, permissions: granted }))
    .output(teamPermission),

  changeTeam: endpoint('PATCH', '/v1/notebooks/{id}/team_permissions/{permissionId}', {
    permission: 'project.share',
    tag,
    flag: 'teams',
    summary: 'Change what a team may do with a project',
  })
    .input(byId.extend({ permissions: granted }))
    .output(teamPermission),

  removeTeam: endpoint('DELETE', '/v1/notebooks/{id}/team_permissions/{permissionId}', {
    permission: 'project.share',
    tag,
    flag: 'teams',
    summary: 'Stop sharing a project with a team',
  })
    .input(byId)
    .output(done),

  invites: endpoint('GET', '/v1/notebooks/{id}/invites', {
    permission: 'project.share',
    tag,
    summary: 'Open invitations by mail',
  })
    .input(z.strictObject({ id, page, page_size: pageSize, search: line(254).optional() }))
    .output(list(projectInvite)),

  invite: endpoint('POST', '/v1/notebooks/{id}/invites', {
    permission: 'project.share',
    limit: 'mail',
    tag,
    summary: 'Invite a person to a project by mail',
    description: 'It is shared once an account confirms the address; at once when one already has.',
  })
    .input(z.strictObject({ id, email: email.toLowerCase(), permissions: granted, message: text(1_000).default('') }))
    .output(projectInvite),

  removeInvite: endpoint('DELETE', '/v1/notebooks/{id}/invites/{inviteId}', {
    permission: 'project.share',
    tag,
    summary: 'Cancel an invitation',
  })
    .input(z.strictObject({ id, inviteId: id }))
    .output(done),

  accessRequests: endpoint('GET', '/v1/projects/{id}/access_requests', {
    permission: 'project.share',
    tag,
    summary: 'Access requests of a project',
  })
    .input(z.strictObject({ id, page, page_size: paged(50, 100), status: z.enum(requestStatuses).optional() }))
    .output(list(accessRequest)),

  requestAccess: endpoint('POST', '/v1/projects/{id}/access_requests', {
    permission: 'access_request.create',
    tag,
    summary: 'Request access to a project',
  })
    .input(z.strictObject({ id, reason: text(1_000).default('') }))
    .output(accessRequest),

  myAccessRequest: endpoint('GET', '/v1/projects/{id}/access_requests/my', {
    permission: 'access_request.create',
    tag,
    summary: 'My newest request for access to a project',
  })
    .input(z.strictObject({ id }))
    .output(accessRequest.nullable()),

  accessRequest: endpoint('GET', '/v1/projects/{id}/access_requests/{requestId}', {
    permission: 'access_request.view',
    tag,
    summary: 'One request for access',
  })
    .input(byRequest)
    .output(accessRequest),

  cancelAccessRequest: endpoint('DELETE', '/v1/projects/{id}/access_requests/{requestId}', {
    permission: 'access_request.cancel',
    tag,
    summary: 'Cancel a request',
  })
    .input(byRequest)
    .output(accessRequest),

  approveAccessRequest: endpoint('POST', '/v1/projects/{id}/access_requests/{requestId}/approve', {
    permission: 'project.share',
    tag,
    summary: 'Approve an access request',
    description: 'Answers 409 when it was already answered or canceled.',
  })
    .input(byRequest.extend({ permissions: granted.default([...sharingPresets.viewer]) }))
    .output(accessRequest),

  rejectAccessRequest: endpoint('POST', '/v1/projects/{id}/access_requests/{requestId}/reject', {
    permission: 'project.share',
    tag,
    summary: 'Decline an access request',
    description: 'Answers 409 when it was already answered or canceled.',
  })
    .input(byRequest)
    .output(accessRequest),

  activity: endpoint('GET', '/v1/notebooks/{id}/activity', {
    permission: 'project.share',
    tag,
    summary: 'Activity of a project',
  })
    .input(z.strictObject({ id, page, page_size: paged(20, 100) }))
    .output(list(activityEntry)),
};
