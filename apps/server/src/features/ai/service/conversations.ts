import { conversationOf } from '@atoll/agent';
import { type AiEvent, type NewAiEvent, topics } from '@atoll/contract';
import { and, asc, desc, eq, gt, gte, isNull, lt, sql } from 'drizzle-orm';
import type { Context, Write } from '../../../platform/context.ts';
import type { DocumentAddress } from '../../../platform/document-tools.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { message } from '../../../platform/realtime/stream.ts';
import { files } from '../../files/table.ts';
import { requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf, loadPerson } from '../../projects/service/relations.ts';
import { aiConversations, aiEvents, type ConversationRow, type EventRow } from '../table.ts';

const usualConfiguration = { model: null };

/** The file the conversation is about; who may not edit it learns nothing of what was said. */
export async function requireDocument(ctx: Context, db: Context['db'], { projectId, fileId }: DocumentAddress) {
  await requireProject(ctx, db, projectId, 'project.edit');
  const isFile = and(eq(files.id, fileId), eq(files.projectId, projectId), isNull(files.deletedAt));
  const [file] = await db.select().from(files).where(isFile);
  if (!file) throw notFound('This file');
  return file;
}

const isCurrent = (fileId: string) => and(eq(aiConversations.fileId, fileId), isNull(aiConversations.archivedAt));

export async function findConversation(db: Context['db'], fileId: string): Promise<ConversationRow | null> {
  const [row] = await db.select().from(aiConversations).where(isCurrent(fileId));
  return row ?? null;
}

/** The current conversation, begun when there is none; nobody else changes it until the end of the transaction. */
export async function lockConversation(ctx: Context, write: Write, address: DocumentAddress): Promise<ConversationRow> {
  await requireDocument(ctx, write.tx, address);
  const known = await locked(write, isCurrent(address.fileId));
  if (known) return known;
  const [previous] = await write.tx
    .select({ configuration: aiConversations.configuration })
    .from(aiConversations)
    .where(eq(aiConversations.fileId, address.fileId))
    .orderBy(desc(aiConversations.createdAt))
    .limit(1);
  const configuration = previous?.configuration ?? usualConfiguration;
  const values = { ...address, configuration, createdAt: ctx.now() };
  await write.tx.insert(aiConversations).values(values).onConflictDoNothing();
  const made = await locked(write, isCurrent(address.fileId));
  if (!made) throw new Error('The conversation was not stored');
  if (made.lastSeq > 0) return made;
  return (await append(ctx, write, made, { kind: 'init', payload: { model: configuration.model } })).row;
}

async function locked(write: Write, where: ReturnType<typeof and>): Promise<ConversationRow | null> {
  const [row] = await write.tx.select().from(aiConversations).where(where).for('update');
  return row ?? null;
}

export const lockById = (write: Write, id: string) => locked(write, and(eq(aiConversations.id, id)));

/** Adds an event to the log of a conversation that is locked, and tells those who look at it. */
export async function append(
  ctx: Context,
  write: Write,
  row: ConversationRow,
  event: NewAiEvent,
  change: Partial<ConversationRow> = {},
): Promise<{ row: ConversationRow; event: AiEvent }> {
  const seq = row.lastSeq + 1;
  const { userId } = ctx.actor;
  const createdAt = ctx.now();
  await write.tx
    .insert(aiEvents)
    .values({ conversationId: row.id, seq, kind: event.kind, payload: event.payload, userId, createdAt });
  const set = { lastSeq: seq, streaming: null, ...change };
  await write.tx.update(aiConversations).set(set).where(eq(aiConversations.id, row.id));
  const changed = { ...row, ...set };
  const user = await loadPerson(write.tx, userId);
  const told = { ...event, seq, user, created_at: createdAt.toISOString() } as AiEvent;
  write.publish(
    message(topics.assistant, { projectId: row.projectId, fileId: row.fileId }, 'chat_event', {
      conversation_id: row.id,
      state: changed.state,
      event: told,
    }),
  );
  return { row: changed, event: told };
}

const mostEvents = 1_000;

async function toEvents(db: Context['db'], rows: EventRow[]): Promise<AiEvent[]> {
  const people = await loadPeopleOf(db, rows, ({ userId }) => userId);
  return rows.map(
    ({ seq, kind, payload, userId, createdAt }) =>
      ({ seq, kind, payload, user: people.get(userId ?? '') ?? null, created_at: createdAt.toISOString() }) as AiEvent,
  );
}

/** A model is told of no more; reading all of a long conversation took longer than the answer. */
const mostTurns = 200;

/** Those of the newest turns, whole and in order. */
export async function newestEvents(db: Context['db'], conversationId: string): Promise<AiEvent[]> {
  const isOfIt = eq(aiEvents.conversationId, conversationId);
  const asked = db
    .select({ seq: aiEvents.seq })
    .from(aiEvents)
    .where(and(isOfIt, eq(aiEvents.kind, 'message_sent')))
    .orderBy(desc(aiEvents.seq))
    .limit(mostTurns)
    .as('asked');
  const first = db.select({ seq: sql`coalesce(min(${asked.seq}), 1)` }).from(asked);
  const rows = await db
    .select()
    .from(aiEvents)
    .where(and(isOfIt, gte(aiEvents.seq, first)))
    .orderBy(asc(aiEvents.seq));
  return toEvents(db, rows);
}

/** The message before which this snapshot was taken; null when there is none. */
export async function messageOfSnapshot(db: Context['db'], conversationId: string, snapshot: number) {
  const [found] = await db
    .select({ seq: aiEvents.seq })
    .from(aiEvents)
    .where(
      and(
        eq(aiEvents.conversationId, conversationId),
        eq(aiEvents.kind, 'message_sent'),
        sql`(${aiEvents.payload} ->> 'snapshot')::int = ${snapshot}`,
      ),
    );
  return found ?? null;
}

/** The newest after or before an event, as many as are shown at once. */
export async function someEvents(
  db: Context['db'],
  conversationId: string,
  { after = 0, before }: { after?: number; before?: number | undefined },
): Promise<{ events: AiEvent[]; isWhole: boolean }> {
  const rows = await db
    .select()
    .from(aiEvents)
    .where(
      and(
        eq(aiEvents.conversationId, conversationId),
        gt(aiEvents.seq, after),
        before === undefined ? undefined : lt(aiEvents.seq, before),
      ),
    )
    .orderBy(desc(aiEvents.seq))
    .limit(mostEvents + 1);
  const events = await toEvents(db, rows.slice(0, mostEvents).reverse());
  return { events, isWhole: rows.length <= mostEvents };
}

/** With its newest turn: what it waits for is known from the events. */
export async function newestTurn(db: Context['db'], conversationId: string) {
  return conversationOf(await newestEvents(db, conversationId)).turns.at(-1) ?? null;
}

export const notNow = (text: string) => new AppError('conflict', text, { details: { reason: 'not_now' } });
