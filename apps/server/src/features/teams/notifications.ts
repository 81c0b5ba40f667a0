import type { NotificationMetadata } from '@atoll/contract';
import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { notifyLater } from '../notifications/service/fan-out.ts';
import { type News, notify, notifyTeam } from '../notifications/service/notify.ts';
import { invitedPeople, invitesOf } from './service/invites.ts';
import { teamMembers } from './table.ts';

export const teamNotifications: EventHandlers = {
  'project.shared_with_team': (ctx, { project_id, team_id, by_user_id }, { id }) =>
    inTeam(ctx, team_id, { type: 'team_project_shared', actorId: by_user_id, projectId: project_id, key: id }, 'all'),
  'project.unshared_with_team': (ctx, { project_id, team_id }, { id, actorId }) =>
    inTeam(ctx, team_id, { type: 'team_project_unshared', actorId, projectId: project_id, key: id }, []),
  'team.invited': async (ctx, { team_id, invite_id, by_user_id }) =>
    notify(ctx, await invitedPeople(ctx, invite_id), {
      type: 'team_invited',
      actorId: by_user_id,
      teamId: team_id,
      key: `team_invited:${invite_id}`,
    }),
  'team.join_requested': async (ctx, { team_id, user_id }, { id }) =>
    notify(ctx, await adminsOf(ctx, team_id), {
      type: 'team_join_requested',
      actorId: user_id,
      teamId: team_id,
      key: id,
    }),
  'team.join_answered': async (ctx, { team_id, user_id, by_user_id, status }, { id }) => {
    if (status === 'canceled') return;
    const type = status === 'approved' ? 'team_join_approved' : 'team_join_rejected';
    await notify(ctx, [user_id], { type, actorId: by_user_id, teamId: team_id, key: id });
  },
  'team.joined': (ctx, { team_id, user_id, by_user_id, invited_by_user_id }, { id }) =>
    inTeam(
      ctx,
      team_id,
      { type: 'team_joined', actorId: by_user_id, subjectId: user_id, key: id },
      invited_by_user_id ? [invited_by_user_id] : [],
      'team_invite_accepted',
    ),
  'team.updated': (ctx, { team_id }, { id, actorId }) =>
    inTeam(ctx, team_id, { type: 'team_changed', actorId, key: id }, []),
  'team.left': (ctx, { team_id, user_id, by_user_id }, { id }) =>
    inTeam(
      ctx,
      team_id,
      { type: 'team_left', actorId: by_user_id, subjectId: user_id, key: id },
      by_user_id === user_id ? [] : [user_id],
      'team_removed',
    ),
  'team.role_changed': (ctx, { team_id, user_id, by_user_id, role }, { id }) =>
    inTeam(
      ctx,
      team_id,
      { type: 'team_role_changed', actorId: by_user_id, subjectId: user_id, metadata: { role }, key: id },
      [user_id],
    ),
  'team.transferred': (ctx, { team_id, from_user_id, to_user_id }, { id }) =>
    inTeam(ctx, team_id, { type: 'team_owner_changed', actorId: from_user_id, subjectId: to_user_id, key: id }, [
      to_user_id,
    ]),
  'team.deleted': async (ctx, { name, user_ids }, { id, actorId }) => {
    const metadata: NotificationMetadata = { excerpt: name, reason: 'deleted' };
    for (let first = 0; first < user_ids.length; first += 100)
      await notify(ctx, user_ids.slice(first, first + 100), { type: 'team_removed', actorId, metadata, key: id });
  },

  // What was waiting for an address is told when it is somebody's.
  'user.signed_up': (ctx, { user_id }) => notifyOfInvites(ctx, user_id),
  'user.updated': async (ctx, { user_id, fields }) => {
    if (fields.includes('email')) await notifyOfInvites(ctx, user_id);
  },
};

/** On the team's own page, and to some or all of its members. */
const inTeam = (
  ctx: Context,
  teamId: string,
  news: Omit<News, 'teamId'>,
  recipients: string[] | 'all',
  type = news.type,
): Promise<void> =>
  ctx.write(async (write) => {
    const [team] = await write.tx.select().from(teamMembers).where(eq(teamMembers.teamId, teamId)).limit(1);
    // It was deleted meanwhile, and all of this with it.
    if (!team) return;
    await notifyTeam(ctx, write, teamId, { ...news, teamId });
    // Whoever is told is meant themselves.
    const toEach = { ...news, teamId, type, subjectId: null };
    if (recipients === 'all') await notifyLater(write, { of: 'team', id: teamId, news: toEach });
    else await notify(ctx.within(write), recipients, toEach);
  });

async function notifyOfInvites(ctx: Context, userId: string): Promise<void> {
  for (const { id, teamId, invitedById } of await invitesOf(ctx, userId)) {
    const key = `team_invited:${id}`;
    await notify(ctx, [userId], { type: 'team_invited', actorId: invitedById, teamId, key });
  }
}

async function adminsOf(ctx: Context, teamId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.role, ['owner', 'admin'])));
  return rows.map((row) => row.id);
}
