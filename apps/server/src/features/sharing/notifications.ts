import { eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { notify } from '../notifications/service/notify.ts';
import { whoMay } from '../projects/service/who-may.ts';
import { projectGrants, projects } from '../projects/table.ts';
import { teamMembers } from '../teams/table.ts';

export const sharingNotifications: EventHandlers = {
  'project.shared': (ctx, { project_id, user_id, by_user_id }, { id }) =>
    notify(ctx, [user_id], { type: 'project_shared', actorId: by_user_id, projectId: project_id, key: id }),
  'project.unshared': async (ctx, { project_id, user_id }, { id, actorId }) => {
    // Whoever left knows.
    if (actorId !== user_id)
      await notify(ctx, [user_id], { type: 'project_unshared', actorId, projectId: project_id, key: id });
  },
  'project.offered': (ctx, { project_id, from_user_id, to_user_id }, { id }) =>
    notify(ctx, [to_user_id], { type: 'project_offered', actorId: from_user_id, projectId: project_id, key: id }),
  'project.offer_ended': async (ctx, { project_id, from_user_id, to_user_id, reason }, { id, actorId }) => {
    const of = { projectId: project_id, key: id };
    if (reason === 'declined')
      await notify(ctx, [from_user_id], { type: 'project_offer_declined', actorId: to_user_id, ...of });
    else {
      const people = [from_user_id, to_user_id].filter((person) => person !== actorId);
      await notify(ctx, people, { type: 'project_offer_ended', actorId: null, ...of });
    }
  },
  'project.transferred': async (ctx, { project_id, from_user_id, to_user_id, offered_by_id = null }, { id }) => {
    const of = { projectId: project_id, key: id };
    if (offered_by_id === null)
      await notify(ctx, [to_user_id], { type: 'project_transferred', actorId: from_user_id, ...of });
    else
      await notify(ctx, [from_user_id, offered_by_id], { type: 'project_offer_accepted', actorId: to_user_id, ...of });
  },
  'project.invite_accepted': async (ctx, { project_id, user_id, by_user_id }, { id }) => {
    const of = { projectId: project_id, key: id };
    await notify(ctx, [user_id], { type: 'project_shared', actorId: by_user_id, ...of });
    if (by_user_id) await notify(ctx, [by_user_id], { type: 'project_invite_accepted', actorId: user_id, ...of });
  },
  'access.requested': async (ctx, { project_id, user_id }, { id }) =>
    notify(ctx, await sharersOf(ctx, project_id), {
      type: 'access_requested',
      actorId: user_id,
      projectId: project_id,
      key: id,
    }),
  'access.answered': async (ctx, { project_id, user_id, by_user_id, status }, { id }) => {
    if (status === 'canceled') return;
    const type = status === 'approved' ? 'access_approved' : 'access_rejected';
    await notify(ctx, [user_id], { type, actorId: by_user_id, projectId: project_id, key: id });
  },
};

/** Who can answer a request for access, by name or through a team; not every administrator of the platform. */
async function sharersOf(ctx: Context, projectId: string): Promise<string[]> {
  const [project] = await ctx.db.select().from(projects).where(eq(projects.id, projectId));
  const granted = await ctx.db
    .select({ named: projectGrants.userId, member: teamMembers.userId })
    .from(projectGrants)
    .leftJoin(teamMembers, eq(teamMembers.teamId, projectGrants.teamId))
    .where(eq(projectGrants.projectId, projectId));
  const people = new Set([project?.ownerId, ...granted.map(({ named, member }) => named ?? member)]);
  const askers = [...people].flatMap((userId) => (userId ? [{ userId, isAdmin: false }] : []));
  return (await whoMay(ctx.db, askers, [projectId], 'share')).flatMap(({ userId }) => userId ?? []);
}
