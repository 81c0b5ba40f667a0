import { topics } from '@atoll/contract';
import type { Transaction } from '../../platform/db/database.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { message } from '../../platform/realtime/stream.ts';
import { changeOfRights, membersOf, projectChanged } from '../projects/service/audience.ts';
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

const collaboratorsChanged = (tx: Transaction, { project_id }: { project_id: string }) =>
  changeOfRights(tx, project_id, ['collaborators']);

const invitesChanged = async (_tx: unknown, { project_id }: { project_id: string }) => [
  projectChanged(project_id, ['collaborators']),
];

export const sharingBroadcasts: Broadcasts = {
  'project.shared': collaboratorsChanged,
  'project.grant_changed': collaboratorsChanged,
  'project.unshared': (tx, { project_id, user_id }) => changeOfRights(tx, project_id, ['collaborators'], [user_id]),
  'project.shared_with_team': collaboratorsChanged,
  'project.team_grant_changed': collaboratorsChanged,
  'project.unshared_with_team': async (tx, { project_id, team_id }) =>
    changeOfRights(tx, project_id, ['collaborators'], await membersOf(tx, team_id)),
  'project.link_changed': (tx, { project_id }) => changeOfRights(tx, project_id, ['access']),
  'project.invited': invitesChanged,
  'project.invite_removed': invitesChanged,
  'project.invite_accepted': collaboratorsChanged,
  'access.requested': async (_tx, { project_id, user_id }) => [
    projectChanged(project_id, ['access_requests']),
    accessChanged(user_id, project_id),
  ],
  'access.answered': async (tx, { project_id, user_id }) => [
    accessChanged(user_id, project_id),
    ...(await changeOfRights(tx, project_id, ['access_requests', 'collaborators'])),
  ],
};
