import { topics } from '@atoll/contract';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { inLists, membersOf, projectChanged, rightsChanged } from '../projects/service/audience.ts';
import { claimInvites, mailInvite } from './service/invites.ts';

export const sharingEvents: EventHandlers = {
  'project.invited': (ctx, { invite_id }) => mailInvite(ctx, invite_id),
  'user.signed_up': (ctx, { user_id }) => claimInvites(ctx, user_id),
  'user.updated': async (ctx, { user_id, fields }) => {
    if (fields.includes('email')) await claimInvites(ctx, user_id);
  },
};

const accessChanged = (userId: string, project_id: string) =>
  message(topics.person, { userId }, 'access_changed', { project_id });

export const sharingBroadcasts: Broadcasts = {
  'project.shared': async (tx, { project_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.grant_changed': async (tx, { project_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.unshared': async (tx, { project_id, user_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id, [user_id])),
  ],
  'project.shared_with_team': async (tx, { project_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.team_grant_changed': async (tx, { project_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.unshared_with_team': async (tx, { project_id, team_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id, await membersOf(tx, team_id))),
  ],
  'project.link_changed': async (tx, { project_id }) => [
    projectChanged(project_id, ['access']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.invited': async (_tx, { project_id }) => [projectChanged(project_id, ['collaborators'])],
  'project.invite_removed': async (_tx, { project_id }) => [projectChanged(project_id, ['collaborators'])],
  'project.invite_accepted': async (tx, { project_id }) => [
    projectChanged(project_id, ['collaborators']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'access.requested': async (_tx, { project_id, user_id }) => [
    projectChanged(project_id, ['access_requests']),
    accessChanged(user_id, project_id),
  ],
  'access.answered': async (tx, { project_id, user_id }) => [
    projectChanged(project_id, ['access_requests', 'collaborators']),
    accessChanged(user_id, project_id),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
};
