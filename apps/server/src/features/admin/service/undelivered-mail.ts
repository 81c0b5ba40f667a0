import type { EndpointInput, UndeliveredMail } from '@atoll/contract';
import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context, Write } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type EventRow, eventsTable } from '../../../platform/events/table.ts';
import { type FailedMail, failedMail, retryFailedMail } from '../../deliveries/service/failed-mail.ts';
import { undeliveredBegin } from '../../mail/themed-mail.ts';

/** Mail is sent by what handles an event, so the event has the reason and is what is tried again. */
const isUndelivered = and(
  isNotNull(eventsTable.lastError),
  sql`strpos(${eventsTable.lastError}, ${undeliveredBegin}) > 0`,
);

function view({ id, name, lastError, attempts, dueAt, createdAt }: EventRow): UndeliveredMail {
  const line = lastError?.split('\n').find((each) => each.includes(undeliveredBegin)) ?? '';
  const [, said = ''] = line.split(undeliveredBegin);
  const [to = '', ...reason] = said.split(': ');
  return {
    id,
    to,
    event: name,
    reason: reason.join(': '),
    attempts,
    next_attempt_at: dueAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}

const viewOfReport = ({ target, delivery, title }: FailedMail): UndeliveredMail => ({
  id: target.id,
  to: target.address,
  event: `report: ${title}`,
  reason: target.reason ?? '',
  attempts: target.attempts,
  next_attempt_at: target.state === 'waiting' ? delivery.startedAt.toISOString() : null,
  created_at: delivery.startedAt.toISOString(),
});

/** Of both kinds, one list: their ids are in the order of time. */
export async function undeliveredMail(ctx: Context, { before, page_size }: EndpointInput<'admin', 'undeliveredMail'>) {
  const events = await ctx.db
    .select()
    .from(eventsTable)
    .where(and(isUndelivered, before ? lt(eventsTable.id, before) : undefined))
    .orderBy(desc(eventsTable.id))
    .limit(page_size + 1);
  const reports = await failedMail(ctx.db, { before, limit: page_size + 1 });
  const all = [...events.map(view), ...reports.map(viewOfReport)].sort((one, other) => (one.id < other.id ? 1 : -1));
  const page = all.slice(0, page_size);
  return { entries: page, next: all.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

export async function retryMail(ctx: Context, id: string): Promise<UndeliveredMail> {
  return ctx.write(async (write) => {
    const report = await retryFailedMail(ctx, write, id);
    const mail = report ? viewOfReport(report) : await retryEvent(ctx, write, id);
    await recordAction(ctx, write, {
      action: 'mail.retried',
      subject: { type: 'mail', id },
      before: { name: mail.to, reason: mail.reason },
    });
    return mail;
  });
}

async function retryEvent(ctx: Context, write: Write, id: string) {
  const [event] = await write.tx
    .select()
    .from(eventsTable)
    .where(and(eq(eventsTable.id, id), isUndelivered))
    .for('update');
  if (!event) throw notFound('This mail');
  if (event.dueAt) throw new AppError('conflict', 'This mail will be tried again by itself.');
  const again = { dueAt: ctx.now(), attempts: 0 };
  await write.tx.update(eventsTable).set(again).where(eq(eventsTable.id, id));
  return view({ ...event, ...again });
}
