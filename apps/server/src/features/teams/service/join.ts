import type { Paging, RequestStatus, TeamRole } from '@atoll/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, denied, notFound } from '../../../platform/errors.ts';
import { answerTo, type WithPeople, withPeople, withPerson } from '../../users/requests.ts';
import { type JoinRequestRow, type TeamRow, teamJoinRequests } from '../table.ts';
import { callerOf, requireLockedTeam, requireTeam } from './access.ts';
import { addMember, isWaiting } from './members.ts';
import { type TeamDetails, withDetails } from './relations.ts';

export type JoinRequest = WithPeople<JoinRequestRow> & { team: TeamRow };

export async function listJoinRequests(
  ctx: Context,
  id: string,
  query: Paging & { status?: RequestStatus },
): Promise<{ requests: JoinRequest[]; total: number }> {
  const { team } = await requireTeam(ctx, ctx.db, id, 'team.edit');
  const where = and(
    eq(teamJoinRequests.teamId, id),
    query.status ? eq(teamJoinRequests.status, query.status) : undefined,
  );
  const rows = await ctx.db
    .select()
    .from(teamJoinRequests)
    .where(where)
    .orderBy(desc(teamJoinRequests.createdAt), desc(teamJoinRequests.id))
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size);
  const total = await ctx.db.$count(teamJoinRequests, where);
  const requests = await withPeople(ctx.db, rows);
  return { requests: requests.map((request) => ({ ...request, team })), total };
}

/** An open team is joined at once; asking again changes nothing. */
export const requestToJoin = (ctx: Context, id: string, reason: string): Promise<JoinRequest> =>
  ctx.write(async (write) => {
    const { tx } = write;
    const { team, role } = await requireLockedTeam(ctx, tx, id, 'team.join');
    if (role) throw new AppError('conflict', 'You are already a member of this team.');
    const [known] = await tx
      .select()
      .from(teamJoinRequests)
      .where(isWaiting(id, callerOf(ctx)));
    if (known) return { ...(await withPerson(tx, known)), team };
    const isOpen = team.discovery === 'open';
    const now = ctx.now();
    const [row] = await tx
      .insert(teamJoinRequests)
      .values({
        teamId: id,
        userId: callerOf(ctx),
        reason,
        status: isOpen ? 'approved' : 'pending',
        answeredAt: isOpen ? now : null,
        createdAt: now,
      })
      .returning();
    if (isOpen) await addMember(ctx, write, id, callerOf(ctx), { role: 'member' });
    else if (row) await write.emit('team.join_requested', { team_id: id, request_id: row.id, user_id: row.userId });
    return { ...(await withPerson(tx, row)), team };
  });

export async function activeJoinRequest(ctx: Context, id: string): Promise<JoinRequest | null> {
  const { team } = await requireTeam(ctx, ctx.db, id, 'team.join');
  const [row] = await ctx.db
    .select()
    .from(teamJoinRequests)
    .where(isWaiting(id, callerOf(ctx)));
  return row ? { ...(await withPerson(ctx.db, row)), team } : null;
}

async function answer(
  ctx: Context,
  { tx, emit }: Write,
  { team, request, status }: { team: TeamRow; request: JoinRequestRow; status: Exclude<RequestStatus, 'pending'> },
): Promise<JoinRequest> {
  const [row] = await tx
    .update(teamJoinRequests)
    .set(await answerTo(ctx, tx, request, status))
    .where(eq(teamJoinRequests.id, request.id))
    .returning();
  const { teamId: team_id, userId: user_id, id: request_id } = request;
  await emit('team.join_answered', { team_id, request_id, user_id, by_user_id: ctx.actor.userId, status });
  return { ...(await withPerson(tx, row)), team };
}

async function lockRequest(tx: Transaction, teamId: string, id: string): Promise<JoinRequestRow> {
  const [request] = await tx
    .select()
    .from(teamJoinRequests)
    .where(and(eq(teamJoinRequests.id, id), eq(teamJoinRequests.teamId, teamId)))
    .for('update');
  if (!request) throw notFound('This request');
  return request;
}

export const answerJoinRequest = (
  ctx: Context,
  input: { id: string; requestId: string; role?: TeamRole },
  status: 'approved' | 'rejected',
): Promise<JoinRequest> =>
  ctx.write(async (write) => {
    const { team } = await requireLockedTeam(ctx, write.tx, input.id, 'team.edit');
    const request = await lockRequest(write.tx, input.id, input.requestId);
    const answered = await answer(ctx, write, { team, request, status });
    if (status === 'approved') await addMember(ctx, write, input.id, request.userId, { role: input.role ?? 'member' });
    return answered;
  });

export const cancelJoinRequest = (ctx: Context, id: string, requestId: string): Promise<JoinRequest> =>
  ctx.write(async (write) => {
    const { team } = await requireLockedTeam(ctx, write.tx, id, 'team.join');
    const request = await lockRequest(write.tx, id, requestId);
    if (request.userId !== ctx.actor.userId) throw notFound('This request');
    return answer(ctx, write, { team, request, status: 'canceled' });
  });

/** By a link or a mail. */
export const joinTeam = (ctx: Context, id: string, token?: string): Promise<TeamDetails> =>
  ctx.write(async (write) => {
    const access = await requireLockedTeam(ctx, write.tx, id, 'team.join', token);
    if (access.role) return withDetails(ctx, access, write.tx);
    if (!access.invite) throw denied('no_permissions', 'You need an invitation. It may have been revoked or expired.');
    await addMember(ctx, write, id, callerOf(ctx), { role: access.invite.role, invite: access.invite });
    return withDetails(ctx, await requireTeam(ctx, write.tx, id, 'team.view'), write.tx);
  });
