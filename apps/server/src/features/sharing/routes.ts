import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { projectActivity } from './service/activity.ts';
import { invite, listInvites, removeInvite } from './service/invites.ts';
import { createLink, endLink, getLink, openLink } from './service/links.ts';
import { changeGrant, copyLink, listGrants, removeGrant, setAuthor, shareProject } from './service/people.ts';
import {
  answerRequest,
  cancelRequest,
  getRequest,
  listRequests,
  myRequest,
  requestAccess,
} from './service/requests.ts';
import { changeTeamGrant, listTeamGrants, removeTeamGrant, shareWithTeam } from './service/teams.ts';
import { accessRequestView, projectInviteView, teamPermissionView, userPermissionView } from './view.ts';

const { sharing } = endpoints;

export const sharingRoutes = {
  listUsers: sharing.listUsers.handler(async ({ context, input: { id, ...paging } }) => {
    const { grants, total } = await listGrants(context, id, paging);
    return { entries: grants.map(userPermissionView), ...paging, total };
  }),
  addUser: sharing.addUser.handler(async ({ context, input: { id, ...grant } }) =>
    userPermissionView(await shareProject(context, id, grant)),
  ),
  changeUser: sharing.changeUser.handler(async ({ context, input }) =>
    userPermissionView(await changeGrant(context, input.id, input.permissionId, input.permissions)),
  ),
  removeUser: sharing.removeUser.handler(({ context, input }) =>
    done(removeGrant(context, input.id, input.permissionId)),
  ),
  addAuthor: sharing.addAuthor.handler(async ({ context, input }) =>
    userPermissionView(await setAuthor(context, input.id, input.permissionId, true)),
  ),
  removeAuthor: sharing.removeAuthor.handler(async ({ context, input }) =>
    userPermissionView(await setAuthor(context, input.id, input.permissionId, false)),
  ),
  copyLink: sharing.copyLink.handler(({ context, input }) => done(copyLink(context, input.id))),
  link: sharing.link.handler(({ context, input }) => getLink(context, input.id)),
  createLink: sharing.createLink.handler(({ context, input }) => createLink(context, input.id)),
  endLink: sharing.endLink.handler(({ context, input }) => done(endLink(context, input.id))),
  openLink: sharing.openLink.handler(({ context, input }) => done(openLink(context, input.id, input.secret))),
  listTeams: sharing.listTeams.handler(async ({ context, input: { id, ...paging } }) => {
    const { grants, total } = await listTeamGrants(context, id, paging);
    return { entries: grants.map(teamPermissionView), ...paging, total };
  }),
  addTeam: sharing.addTeam.handler(async ({ context, input: { id, ...grant } }) =>
    teamPermissionView(await shareWithTeam(context, id, grant)),
  ),
  changeTeam: sharing.changeTeam.handler(async ({ context, input }) =>
    teamPermissionView(await changeTeamGrant(context, input.id, input.permissionId, input.permissions)),
  ),
  removeTeam: sharing.removeTeam.handler(({ context, input }) =>
    done(removeTeamGrant(context, input.id, input.permissionId)),
  ),
  invites: sharing.invites.handler(async ({ context, input }) => {
    const { invites, total } = await listInvites(context, input.id, input);
    return pageOf(input, { entries: invites.map(projectInviteView), total });
  }),
  invite: sharing.invite.handler(async ({ context, input: { id, ...invited } }) =>
    projectInviteView(await invite(context, id, invited)),
  ),
  removeInvite: sharing.removeInvite.handler(({ context, input }) =>
    done(removeInvite(context, input.id, input.inviteId)),
  ),
  accessRequests: sharing.accessRequests.handler(async ({ context, input }) => {
    const { requests, total } = await listRequests(context, input.id, input);
    return pageOf(input, { entries: requests.map(accessRequestView), total });
  }),
  requestAccess: sharing.requestAccess.handler(async ({ context, input }) =>
    accessRequestView(await requestAccess(context, input.id, input.reason)),
  ),
  myAccessRequest: sharing.myAccessRequest.handler(async ({ context, input }) => {
    const request = await myRequest(context, input.id);
    return request && accessRequestView(request);
  }),
  accessRequest: sharing.accessRequest.handler(async ({ context, input }) =>
    accessRequestView(await getRequest(context, input.id, input.requestId)),
  ),
  cancelAccessRequest: sharing.cancelAccessRequest.handler(async ({ context, input }) =>
    accessRequestView(await cancelRequest(context, input.id, input.requestId)),
  ),
  approveAccessRequest: sharing.approveAccessRequest.handler(async ({ context, input }) =>
    accessRequestView(await answerRequest(context, input, 'approved')),
  ),
  rejectAccessRequest: sharing.rejectAccessRequest.handler(async ({ context, input }) =>
    accessRequestView(await answerRequest(context, input, 'rejected')),
  ),
  activity: sharing.activity.handler(async ({ context, input }) => {
    const { entries, total } = await projectActivity(context, input.id, input);
    return pageOf(input, { entries, total });
  }),
};
