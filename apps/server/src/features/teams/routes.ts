import { done, endpoints, pageOf } from '../../platform/http/implement.ts';
import { listTeamNotifications } from '../notifications/service/read.ts';
import { projectView } from '../projects/view.ts';
import { invite, listInvites, removeInvite } from './service/invites.ts';
import {
  activeJoinRequest,
  answerJoinRequest,
  cancelJoinRequest,
  joinTeam,
  listJoinRequests,
  requestToJoin,
} from './service/join.ts';
import { changeMember, leaveTeam, listMembers, removeMember, transferTeam } from './service/members.ts';
import { listTeamProjects } from './service/projects.ts';
import { createTeam, deleteTeam, getTeam, listTeams, setThumbnail, updateTeam } from './service/teams.ts';
import { inviteView, joinRequestView, memberView, teamDetailView, teamView } from './view.ts';

const { teams } = endpoints;

export const teamRoutes = {
  list: teams.list.handler(async ({ context, input }) => {
    const { entries, total } = await listTeams(context, input);
    return pageOf(input, { entries: entries.map(teamView), total });
  }),
  create: teams.create.handler(async ({ context, input }) => {
    const made = await createTeam(context, input);
    return made && teamDetailView(made);
  }),
  get: teams.get.handler(async ({ context, input }) => teamDetailView(await getTeam(context, input.id, input.invite))),
  update: teams.update.handler(async ({ context, input: { id, ...update } }) =>
    teamDetailView(await updateTeam(context, id, update)),
  ),
  delete: teams.delete.handler(({ context, input }) => done(deleteTeam(context, input.id))),
  setThumbnail: teams.setThumbnail.handler(async ({ context, input }) =>
    teamDetailView(await setThumbnail(context, input.id, input.upload_id)),
  ),
  removeThumbnail: teams.removeThumbnail.handler(async ({ context, input }) =>
    teamDetailView(await setThumbnail(context, input.id, null)),
  ),
  members: teams.members.handler(async ({ context, input }) => {
    const { members, total } = await listMembers(context, input.id, input);
    return pageOf(input, { entries: members.map(memberView), total });
  }),
  changeMember: teams.changeMember.handler(async ({ context, input }) =>
    memberView(await changeMember(context, input.id, input.userId, input.role)),
  ),
  removeMember: teams.removeMember.handler(({ context, input }) => done(removeMember(context, input.id, input.userId))),
  joinRequests: teams.joinRequests.handler(async ({ context, input }) => {
    const { requests, total } = await listJoinRequests(context, input.id, input);
    return pageOf(input, { entries: requests.map(joinRequestView), total });
  }),
  requestToJoin: teams.requestToJoin.handler(async ({ context, input }) =>
    joinRequestView(await requestToJoin(context, input.id, input.reason)),
  ),
  activeJoinRequest: teams.activeJoinRequest.handler(async ({ context, input }) => {
    const request = await activeJoinRequest(context, input.id);
    return request && joinRequestView(request);
  }),
  cancelJoinRequest: teams.cancelJoinRequest.handler(async ({ context, input }) =>
    joinRequestView(await cancelJoinRequest(context, input.id, input.requestId)),
  ),
  approveJoinRequest: teams.approveJoinRequest.handler(async ({ context, input }) =>
    joinRequestView(await answerJoinRequest(context, input, 'approved')),
  ),
  rejectJoinRequest: teams.rejectJoinRequest.handler(async ({ context, input }) =>
    joinRequestView(await answerJoinRequest(context, input, 'rejected')),
  ),
  join: teams.join.handler(async ({ context, input }) =>
    teamDetailView(await joinTeam(context, input.id, input.invite)),
  ),
  leave: teams.leave.handler(({ context, input }) => done(leaveTeam(context, input.id))),
  transfer: teams.transfer.handler(async ({ context, input }) =>
    teamDetailView(await transferTeam(context, input.id, input.user_id)),
  ),
  invites: teams.invites.handler(async ({ context, input }) => {
    const { invites, total } = await listInvites(context, input.id, input);
    return pageOf(input, { entries: invites.map(inviteView), total });
  }),
  invite: teams.invite.handler(async ({ context, input }) => {
    const made = await invite(context, input.id, input);
    return { ...inviteView(made), url: made.url };
  }),
  removeInvite: teams.removeInvite.handler(({ context, input }) =>
    done(removeInvite(context, input.id, input.inviteId)),
  ),
  projects: teams.projects.handler(async ({ context, input }) => {
    const { entries, total } = await listTeamProjects(context, input.id, input);
    return pageOf(input, { entries: entries.map((found) => projectView(found)), total });
  }),
  notifications: teams.notifications.handler(async ({ context, input }) => {
    const { entries, total } = await listTeamNotifications(context, input.id, input);
    return pageOf(input, { entries, total });
  }),
};
