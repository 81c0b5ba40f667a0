import { type TopicContract, type TopicEvent, type TopicEventName, type TopicParams, topicName } from '@atoll/contract';
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../db/database.ts';
import { prepared } from '../db/postgres-session.ts';
import { appliedCommands, topicEvents, topicPositions } from './table.ts';

export interface TopicMessage {
  topic: string;
  event: string;
  payload: Record<string, unknown>;
}

export interface StoredMessage extends TopicMessage {
  position: number;
}

/** Servers tell each other here what may end subscriptions; clients cannot join it. */
export const accessTopic = 'access';

export const message = <Topic extends TopicContract, Name extends TopicEventName<Topic>>(
  contract: Topic,
  params: TopicParams<Topic>,
  event: Name,
  payload: TopicEvent<Topic, Name>,
): TopicMessage => ({ topic: topicName(contract, params), event, payload });

/** At the end of a transaction, in one order for all, so that no two wait for each other's topics; begun at once. */
export const appendMessages = (tx: Transaction, now: Date, messages: TopicMessage[]): Promise<StoredMessage[]> =>
  Promise.all(
    messages
      .toSorted((a, b) => (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : 0))
      .map((message) => appendMessage(tx, now, message)),
  );

async function appendMessage(tx: Transaction, now: Date, message: TopicMessage): Promise<StoredMessage> {
  const { topic, event, payload } = message;
  const next = sql`insert into ${topicPositions} (topic, position) values (${topic}, 1)
    on conflict (topic) do update set position = ${topicPositions}.position + 1 returning position`;
  const append = sql`${prepared} with next as (${next})
    insert into ${topicEvents} (topic, position, event, payload, created_at)
    select ${topic}, position, ${event}, ${JSON.stringify(payload)}::jsonb, ${now.toISOString()}::timestamptz from next
    returning position`;
  const { rows } = (await tx.execute(append).execute()) as unknown as { rows: { position: string }[] };
  return { ...message, position: Number(rows[0]?.position) };
}

export async function positionsOf(db: Database, names: string[]): Promise<Map<string, number>> {
  const rows = await db.select().from(topicPositions).where(inArray(topicPositions.topic, names));
  return new Map(rows.map((row) => [row.topic, row.position]));
}

/** More than this is loaded anew rather than told one by one. */
const maxMissed = 500;

/** What came after `last`, in order; null when it is too much or no longer kept. */
export async function eventsAfter(db: Database, topic: string, last: number): Promise<StoredMessage[] | null> {
  const position = (await positionsOf(db, [topic])).get(topic) ?? 0;
  if (last === position) return [];
  if (last > position || position - last > maxMissed) return null;
  const rows = await db
    .select()
    .from(topicEvents)
    .where(and(eq(topicEvents.topic, topic), gt(topicEvents.position, last)))
    .orderBy(asc(topicEvents.position));
  return rows[0]?.position === last + 1 ? rows : null;
}

const day = 24 * 60 * 60_000;

export async function sweepStreams(db: Database, now: Date): Promise<void> {
  await db.delete(topicEvents).where(lt(topicEvents.createdAt, new Date(now.getTime() - 2 * day)));
  await db.delete(appliedCommands).where(lt(appliedCommands.createdAt, new Date(now.getTime() - 2 * day)));
}
