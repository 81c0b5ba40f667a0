import type { NotificationMetadata } from '@atoll/contract';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import { mentionedIn } from '../comments/service/write.ts';
import { type CommentRow, comments } from '../comments/table.ts';
import { askersOf, whoMay } from '../projects/service/who-may.ts';
import { projectGrants, projects } from '../projects/table.ts';
import { invitedPeople, invitesOf } from '../teams/service/invites.ts';
import { teamMembers } from '../teams/table.ts';
import { notifyLater, tellOfPublished } from './service/fan-out.ts';
import { type News, notify, tellTeam } from './service/notify.ts';

/** Everything anybody is told of is decided here. */
export const notificationEvents: EventHandlers = {
  'project.shared': (ctx, { project_id, user_id, by_user_id }, { id }) =>
    tell(ctx, [user_id], { type: 'project_shared', actorId: by_user_id, projectId: project_id, key: id }),
  'project.unshared': async (ctx, { project_id, user_id }, { id, actorId }) => {
    // Whoever left knows.
    if (actorId !== user_id)
      await tell(ctx, [user_id], { type: 'project_unshared', actorId, projectId: project_id, key: id });
  },
  'project.transferred': (ctx, { project_id, from_user_id, to_user_id }, { id }) =>
    tell(ctx, [to_user_id], { type: 'project_transferred', actorId: from_user_id, projectId: project_id, key: id }),
  'project.invite_accepted': async (ctx, { project_id, user_id, by_user_id }, { id }) => {
    const of = { projectId: project_id, key: id };
    await tell(ctx, [user_id], { type: 'project_shared', actorId: by_user_id, ...of });
    if (by_user_id) await tell(ctx, [by_user_id], { type: 'project_invite_accepted', actorId: user_id, ...of });
  },
  'access.requested': async (ctx, { project_id, user_id }, { id }) =>
    tell(ctx, await sharersOf(ctx, project_id), {
      type: 'access_requested',
      actorId: user_id,
      projectId: project_id,
      key: id,
    }),
  'access.answered': async (ctx, { project_id, user_id, by_user_id, status }, { id }) => {
    if (status === 'canceled') return;
    const type = status === 'approved' ? 'access_approved' : 'access_rejected';
    await tell(ctx, [user_id], { type, actorId: by_user_id, projectId: project_id, key: id });
  },

  'project.created': (ctx, { project_id }) => tellOfPublished(ctx, project_id),
  'project.updated': async (ctx, { project_id, fields }) => {
    if (fields.includes('visibility') || fields.includes('tags')) await tellOfPublished(ctx, project_id);
  },
  'project.shared_with_team': (ctx, { project_id, team_id, by_user_id }, { id }) =>
    inTeam(ctx, team_id, { type: 'team_project_shared', actorId: by_user_id, projectId: project_id, key: id }, 'all'),

  'project.unshared_with_team': (ctx, { project_id, team_id }, { id, actorId }) =>
    inTeam(ctx, team_id, { type: 'team_project_unshared', actorId, projectId: project_id, key: id }, []),

  'team.invited': async (ctx, { team_id, invite_id, by_user_id }) =>
    tell(ctx, await invitedPeople(ctx, invite_id), {
      type: 'team_invited',
      actorId: by_user_id,
      teamId: team_id,
      key: `team_invited:${invite_id}`,
    }),
  'team.join_requested': async (ctx, { team_id, user_id }, { id }) =>
    tell(ctx, await adminsOf(ctx, team_id), {
      type: 'team_join_requested',
      actorId: user_id,
      teamId: team_id,
      key: id,
    }),
  'team.join_answered': async (ctx, { team_id, user_id, by_user_id, status }, { id }) => {
    if (status === 'canceled') return;
    const type = status === 'approved' ? 'team_join_approved' : 'team_join_rejected';
    await tell(ctx, [user_id], { type, actorId: by_user_id, teamId: team_id, key: id });
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
      await tell(ctx, user_ids.slice(first, first + 100), { type: 'team_removed', actorId, metadata, key: id });
  },

  'comment.created': (ctx, { comment_id, by_user_id }, { id }) => tellOfComment(ctx, comment_id, by_user_id, id),
  'comment.updated': async (ctx, { comment_id, mentioned }, { id, actorId }) => {
    const comment = mentioned.length > 0 ? await findComment(ctx, comment_id) : null;
    if (comment) await tellReaders(ctx, comment, mentioned, { type: 'comment_mentioned', actorId, key: id });
  },
  'comment.liked': async (ctx, { comment_id, by_user_id }) => {
    const comment = await findComment(ctx, comment_id);
    if (!comment?.authorId) return;
    const key = `liked:${comment_id}:${by_user_id}`;
    await tellReaders(ctx, comment, [comment.authorId], { type: 'comment_liked', actorId: by_user_id, key });
  },
  'comment.reported': async (ctx, { project_id, comment_id, by_user_id }) => {
    const comment = await findComment(ctx, comment_id);
    const [project] = await ctx.db.select().from(projects).where(eq(projects.id, project_id));
    if (!comment || !project) return;
    const key = `reported:${comment_id}:${by_user_id}`;
    await tellReaders(ctx, comment, [project.ownerId], { type: 'comment_reported', actorId: by_user_id, key });
  },

  // What was waiting for an address is told when it is somebody's.
  'user.signed_up': (ctx, { user_id }) => tellOfInvites(ctx, user_id),
  'user.updated': async (ctx, { user_id, fields }) => {
    if (fields.includes('email')) await tellOfInvites(ctx, user_id);
  },
  'user.followed': (ctx, { user_id, by_user_id }) =>
    tell(ctx, [user_id], { type: 'user_followed', actorId: by_user_id, key: `followed:${by_user_id}` }),
};

const tell = (ctx: Context, recipients: string[], news: News): Promise<void> =>
  ctx.write((write) => notify(ctx, write, recipients, news));

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
    await tellTeam(ctx, write, teamId, { ...news, teamId });
    // Whoever is told is meant themselves.
    const told = { ...news, teamId, type, subjectId: null };
    if (recipients === 'all') await notifyLater(write, { of: 'team', id: teamId, news: told });
    else await notify(ctx, write, recipients, told);
  });

async function tellOfInvites(ctx: Context, userId: string): Promise<void> {
  for (const { id, teamId, invitedById } of await invitesOf(ctx, userId)) {
    const key = `team_invited:${id}`;
    await tell(ctx, [userId], { type: 'team_invited', actorId: invitedById, teamId, key });
  }
}

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

async function adminsOf(ctx: Context, teamId: string): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.role, ['owner', 'admin'])));
  return rows.map((row) => row.id);
}

async function findComment(ctx: Context, id: string): Promise<CommentRow | null> {
  const [comment] = await ctx.db
    .select()
    .from(comments)
    .where(and(eq(comments.id, id), isNull(comments.deletedAt)));
  return comment ?? null;
}

const excerptLength = 160;

/** Only to those who may read what it is about: a name in a comment opens nothing. */
async function tellReaders(
  ctx: Context,
  comment: CommentRow,
  recipients: string[],
  news: Pick<News, 'type' | 'actorId' | 'key'>,
): Promise<void> {
  const askers = await askersOf(ctx.db, recipients);
  const readers = await whoMay(ctx.db, askers, [comment.projectId], comment.fileId ? 'view_source' : 'view');
  const metadata: NotificationMetadata = {
    // By whole characters: half an emoji cannot be stored.
    excerpt: [...comment.content].slice(0, excerptLength).join(''),
    ...(comment.fileId && { file_id: comment.fileId }),
    ...(comment.cellId && { cell_id: comment.cellId }),
  };
  const told = readers.flatMap(({ userId }) => userId ?? []);
  await tell(ctx, told, { ...news, projectId: comment.projectId, commentId: comment.id, metadata });
}

/** Each hears of one comment once, in the words that concern them most. */
async function tellOfComment(ctx: Context, id: string, by: string, key: string): Promise<void> {
  const comment = await findComment(ctx, id);
  const [project] = comment ? await ctx.db.select().from(projects).where(eq(projects.id, comment.projectId)) : [];
  if (!comment || !project) return;
  const news = { actorId: by, key };
  const mentioned = await mentionedIn(ctx.db, comment.content);
  await tellReaders(ctx, comment, mentioned, { ...news, type: 'comment_mentioned' });
  const others = (ids: string[], known: string[]) => ids.filter((userId) => !known.includes(userId));
  const thread = comment.replyTo ? await participants(ctx, comment.replyTo) : [];
  const repliedTo = others(thread, mentioned);
  await tellReaders(ctx, comment, repliedTo, { ...news, type: 'comment_replied' });
  const owner = others([project.ownerId], [...mentioned, ...repliedTo]);
  await tellReaders(ctx, comment, owner, { ...news, type: 'comment_created' });
}

async function participants(ctx: Context, threadId: string): Promise<string[]> {
  const [first] = await ctx.db.select().from(comments).where(eq(comments.id, threadId));
  const replies = await ctx.db
    .selectDistinct({ authorId: comments.authorId })
    .from(comments)
    .where(and(eq(comments.replyTo, threadId), isNull(comments.deletedAt)));
  return [first, ...replies].flatMap((each) => each?.authorId ?? []);
}
