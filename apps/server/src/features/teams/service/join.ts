import { canBecome, type PersonSummary, type RequestStatus, type TeamRole } from '@atoll/contract';
import { and, count, desc, eq } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { AppError, denied, notFound } from '../../../platform/errors.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { type JoinRequestRow, type TeamRow, teamJoinRequests } from '../table.ts';
import { callerOf, lockTeam, requireTeam } from './access.ts';
import { addMember } from './members.ts';
import { type TeamDetails, withDetails } from './relations.ts';

export interface JoinRequestWithPeople extends JoinRequestRow {
  team: TeamRow;
  person: PersonSummary;
  answeredBy: PersonSummary | null;
}

async function withPeople(
  db: Database | Transaction,
  team: TeamRow,
  rows: JoinRequestRow[],
): Promise<JoinRequestWithPeople[]> {
  const people = await loadPeople(
    db,
    rows.flatMap((row) => [row.userId, ...(row.answeredById ? [row.answeredById] : [])]),
  );
  return rows.flatMap((row) => {
    const person = people.get(row.userId);
    return person ? [{ ...row, team, person, answeredBy: people.get(row.answeredById ?? '') ?? null }] : [];
  });
}

async function withPerson(db: Transaction, team: TeamRow, row: JoinRequestRow | undefined) {
  const [request] = row ? await withPeople(db, team, [row]) : [];
  if (!request) throw notFound('This request');
  return request;
}

export async function listJoinRequests(
  ctx: Context,
  id: string,
  query: { page: number; page_size: number; status?: RequestStatus },
): Promise<{ requests: JoinRequestWithPeople[]; total: number }> {
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
  const [found] = await ctx.db.select({ total: count() }).from(teamJoinRequests).where(where);
  return { requests: await withPeople(ctx.db, team, rows), total: found?.total ?? 0 };
}

const isMineAndWaits = (ctx: Context, teamId: string) =>
  and(
    eq(teamJoinRequests.teamId, teamId),
    eq(teamJoinRequests.userId, callerOf(ctx)),
    eq(teamJoinRequests.status, 'pending'),
  );

/** An open team is joined at once; asking again changes nothing. */
export const requestToJoin = (ctx: Context, id: string, reason: string): Promise<JoinRequestWithPeople> =>
  ctx.write(async (write) => {
    const { tx } = write;
    await lockTeam(tx, id);
    const { team, role } = await requireTeam(ctx, tx, id, 'team.join');
    if (role) throw new AppError('conflict', 'You are in this team already.');
    const [known] = await tx.select().from(teamJoinRequests).where(isMineAndWaits(ctx, id));
    if (known) return withPerson(tx, team, known);
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
    if (isOpen) await addMember(ctx, write, id, callerOf(ctx), 'member');
    else if (row) await write.emit('team.join_requested', { team_id: id, request_id: row.id, user_id: row.userId });
    return withPerson(tx, team, row);
  });

export async function activeJoinRequest(ctx: Context, id: string): Promise<JoinRequestWithPeople | null> {
  const { team } = await requireTeam(ctx, ctx.db, id, 'team.join');
  const [row] = await ctx.db.select().from(teamJoinRequests).where(isMineAndWaits(ctx, id));
  const [request] = row ? await withPeople(ctx.db, team, [row]) : [];
  return request ?? null;
}

type Answer = Exclude<RequestStatus, 'pending'>;

/** Of two answers at once the first counts, and the second is told what became of it. */
async function answer(
  ctx: Context,
  { tx, emit }: Write,
  request: JoinRequestRow,
  status: Answer,
): Promise<JoinRequestRow | undefined> {
  if (!canBecome(request.status, status)) {
    const by = (await loadPeople(tx, request.answeredById ? [request.answeredById] : [])).get(
      request.answeredById ?? '',
    );
    throw new AppError(
      'conflict',
      request.status === 'canceled'
        ? 'This request was taken back.'
        : `This request was ${request.status} already${by ? ` by @${by.user_name}` : ''}.`,
      { details: { status: request.status } },
    );
  }
  const [row] = await tx
    .update(teamJoinRequests)
    .set({ status, answeredById: ctx.actor.userId, answeredAt: ctx.now() })
    .where(eq(teamJoinRequests.id, request.id))
    .returning();
  const { teamId: team_id, userId: user_id, id: request_id } = request;
  await emit('team.join_answered', { team_id, request_id, user_id, by_user_id: ctx.actor.userId, status });
  return row;
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
): Promise<JoinRequestWithPeople> =>
  ctx.write(async (write) => {
    await lockTeam(write.tx, input.id);
    const { team } = await requireTeam(ctx, write.tx, input.id, 'team.edit');
    const request = await lockRequest(write.tx, input.id, input.requestId);
    const row = await answer(ctx, write, request, status);
    if (status === 'approved') await addMember(ctx, write, input.id, request.userId, input.role ?? 'member');
    return withPerson(write.tx, team, row);
  });

export const cancelJoinRequest = (ctx: Context, id: string, requestId: string): Promise<JoinRequestWithPeople> =>
  ctx.write(async (write) => {
    await lockTeam(write.tx, id);
    const { team } = await requireTeam(ctx, write.tx, id, 'team.join');
    const request = await lockRequest(write.tx, id, requestId);
    if (request.userId !== ctx.actor.userId) throw notFound('This request');
    return withPerson(write.tx, team, await answer(ctx, write, request, 'canceled'));
  });

/** By a link or a mail. */
export const joinTeam = (ctx: Context, id: string, token?: string): Promise<TeamDetails> =>
  ctx.write(async (write) => {
    await lockTeam(write.tx, id);
    const access = await requireTeam(ctx, write.tx, id, 'team.join', token);
    if (access.role) return withDetails(ctx, access, write.tx);
    if (!access.invite)
      throw denied('no_permissions', 'You need an invitation for this. It may have been taken back or be too old.');
    await addMember(ctx, write, id, callerOf(ctx), access.invite.role);
    return withDetails(ctx, await requireTeam(ctx, write.tx, id, 'team.view'), write.tx);
  });
