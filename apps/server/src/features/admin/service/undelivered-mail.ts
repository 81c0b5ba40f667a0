import type { UndeliveredMail } from '@atoll/contract';
import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { recordAction } from '../../../platform/action-log/record.ts';
import type { Context } from '../../../platform/context.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type EventRow, eventsTable } from '../../../platform/events/table.ts';
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

export async function undeliveredMail(
  ctx: Context,
  { before, page_size }: { before?: string | undefined; page_size: number },
) {
  const rows = await ctx.db
    .select()
    .from(eventsTable)
    .where(and(isUndelivered, before ? lt(eventsTable.id, before) : undefined))
    .orderBy(desc(eventsTable.id))
    .limit(page_size + 1);
  const page = rows.slice(0, page_size);
  return { entries: page.map(view), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

export async function retryMail(ctx: Context, id: string): Promise<UndeliveredMail> {
  return ctx.write(async (write) => {
    const [event] = await write.tx
      .select()
      .from(eventsTable)
      .where(and(eq(eventsTable.id, id), isUndelivered))
      .for('update');
    if (!event) throw notFound('This mail');
    if (event.dueAt) throw new AppError('conflict', 'This mail will be tried again by itself.');
    const again = { dueAt: ctx.now(), attempts: 0 };
    await write.tx.update(eventsTable).set(again).where(eq(eventsTable.id, id));
    const mail = view({ ...event, ...again });
    await recordAction(ctx, write, {
      action: 'mail.retried',
      subject: { type: 'mail', id },
      before: { name: mail.to, reason: mail.reason },
    });
    return mail;
  });
}
