import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/db/database.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { accessTopic, message, type TopicMessage } from '../../platform/realtime/stream.ts';
import { mailInvite } from './service/invites.ts';
import { teamMembers } from './table.ts';

export const teamEvents: EventHandlers = {
  'team.invited': (ctx, { invite_id }) => mailInvite(ctx, invite_id),
};

/** So many are told at once; a larger team's others see it when they look. */
const toldMembers = 500;

async function toMembers(tx: Transaction, team_id: string, others: string[] = []): Promise<TopicMessage[]> {
  const members = await tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, team_id))
    .limit(toldMembers);
  return [...new Set([...members.map((member) => member.userId), ...others])].map((userId) => changed(userId, team_id));
}

const changed = (userId: string, team_id: string) => message(topics.person, { userId }, 'teams_changed', { team_id });

/** After this they may have more through the team, or less. */
const rightsChanged = (user_ids: string[]): TopicMessage => ({
  topic: accessTopic,
  event: 'members_changed',
  payload: { user_ids },
});

export const teamBroadcasts: Broadcasts = {
  'team.created': (tx, { team_id }) => toMembers(tx, team_id),
  'team.updated': (tx, { team_id }) => toMembers(tx, team_id),
  'team.joined': async (tx, { team_id, user_id }) => [...(await toMembers(tx, team_id)), rightsChanged([user_id])],
  'team.join_requested': (tx, { team_id, user_id }) => toMembers(tx, team_id, [user_id]),
  'team.join_answered': (tx, { team_id, user_id }) => toMembers(tx, team_id, [user_id]),
  'team.transferred': (tx, { team_id }) => toMembers(tx, team_id),
  'team.role_changed': async (tx, { team_id, user_id }) => [
    ...(await toMembers(tx, team_id)),
    rightsChanged([user_id]),
  ],
  'team.left': async (tx, { team_id, user_id }) => [
    ...(await toMembers(tx, team_id, [user_id])),
    rightsChanged([user_id]),
  ],
  'team.deleted': async (_tx, { team_id, user_ids }) => [
    ...user_ids.slice(0, toldMembers).map((userId) => changed(userId, team_id)),
    rightsChanged(user_ids),
  ],
};
