import { canBecome, type PersonSummary, type RequestStatus } from '@atoll/contract';
import type { Context } from '../../platform/context.ts';
import type { Database, Transaction } from '../../platform/db/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { loadPeopleOf } from '../projects/service/relations.ts';

/** What somebody asks for and somebody else answers: to join a team, or to see a project. */
interface RequestRow {
  id: string;
  userId: string;
  reason: string;
  status: RequestStatus;
  answeredById: string | null;
  createdAt: Date;
  answeredAt: Date | null;
}

export type WithPeople<Row> = Row & { person: PersonSummary; answeredBy: PersonSummary | null };

export async function withPeople<Row extends RequestRow>(
  db: Database | Transaction,
  rows: Row[],
): Promise<WithPeople<Row>[]> {
  const people = await loadPeopleOf(db, rows, ({ userId, answeredById }) => [userId, answeredById]);
  return rows.flatMap((row) => {
    const person = people.get(row.userId);
    return person ? [{ ...row, person, answeredBy: people.get(row.answeredById ?? '') ?? null }] : [];
  });
}

export async function withPerson<Row extends RequestRow>(
  db: Database | Transaction,
  row: Row | undefined,
): Promise<WithPeople<Row>> {
  const [request] = row ? await withPeople(db, [row]) : [];
  if (!request) throw notFound('This request');
  return request;
}

/** What an answer sets. Of two at once the first counts, and the second is told what became of it; lock the row first. */
export async function answerTo(
  ctx: Context,
  tx: Transaction,
  request: RequestRow,
  status: Exclude<RequestStatus, 'pending'>,
): Promise<Pick<RequestRow, 'status' | 'answeredById' | 'answeredAt'>> {
  if (canBecome(request.status, status)) return { status, answeredById: ctx.actor.userId, answeredAt: ctx.now() };
  const { answeredBy } = await withPerson(tx, request);
  throw new AppError(
    'conflict',
    request.status === 'canceled'
      ? 'This request was canceled.'
      : `This request was ${request.status} already${answeredBy ? ` by @${answeredBy.user_name}` : ''}.`,
    { details: { status: request.status } },
  );
}

export const requestView = (request: WithPeople<RequestRow>) => ({
  id: request.id,
  user: request.person,
  reason: request.reason,
  status: request.status,
  answered_by: request.answeredBy,
  created_at: request.createdAt.toISOString(),
  answered_at: request.answeredAt?.toISOString() ?? null,
});
