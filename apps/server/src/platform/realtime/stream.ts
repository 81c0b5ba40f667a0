import { type TopicContract, type TopicEvent, type TopicEventName, type TopicParams, topicName } from '@atoll/contract';
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../db/database.ts';
import { prepared } from '../db/postgres-session.ts';
import { preparedRows, preparedStatement } from '../db/prepared-statement.ts';
import { rowsOf } from '../db/rows.ts';
import { appliedCommands, topicEvents, topicPositions } from './table.ts';

export interface TopicMessage {
  topic: string;
  event: string;
  payload: Record<string, unknown>;
}

export interface StoredMessage extends TopicMessage {
  position: number;
}

/** Servers exchange changes here that may end subscriptions; clients cannot join it. */
export const accessTopic = 'access';

export const message = <Topic extends TopicContract, Name extends TopicEventName<Topic>>(
  contract: Topic,
  params: TopicParams<Topic>,
  event: Name,
  payload: TopicEvent<Topic, Name>,
): TopicMessage => ({ topic: topicName(contract, params), event, payload });

/** Appends at the end of a transaction and in one order for all, to avoid deadlocks on topics; begins at once. */
export async function appendMessages(tx: Transaction, now: Date, messages: TopicMessage[]): Promise<StoredMessage[]> {
  const byTopic = Map.groupBy(messages, ({ topic }) => topic);
  const topics = [...byTopic.keys()].sort();
  const most = Math.max(0, ...[...byTopic.values()].map((told) => told.length));
  // A statement advances each topic once, so two messages to one topic take two statements.
  const rounds = Array.from({ length: most }, (_, round) =>
    topics.flatMap((topic) => byTopic.get(topic)?.[round] ?? []),
  );
  return (await Promise.all(rounds.map((round) => appendRound(tx, now, round)))).flat();
}

/** Appends messages of different topics. */
async function appendRound(tx: Transaction, now: Date, messages: TopicMessage[]): Promise<StoredMessage[]> {
  const [first] = messages;
  if (first && messages.length === 1) return [await appendMessage(tx, now, first)];
  const append = sql`${prepared} with told as (
      select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as told (topic text, event text, payload jsonb)
    ), next as (
      insert into ${topicPositions} (topic, position) select topic, 1 from told order by topic collate "C"
      on conflict (topic) do update set position = ${topicPositions}.position + 1 returning topic, position
    ) insert into ${topicEvents} (topic, position, event, payload, created_at)
    select topic, position, event, payload, ${now.toISOString()}::timestamptz from next join told using (topic)
    returning topic, position`;
  const rows = rowsOf<{ topic: string; position: string }>(await tx.execute(append).execute());
  const positions = new Map(rows.map(({ topic, position }) => [topic, Number(position)]));
  return messages.map((message) => ({ ...message, position: positions.get(message.topic) ?? 0 }));
}

/** Most writes send one message, and need no list parsed from JSON for it. */
const appending = preparedStatement(sql`with next as (
    insert into ${topicPositions} (topic, position) values (${sql.placeholder('topic')}, 1)
    on conflict (topic) do update set position = ${topicPositions}.position + 1 returning topic, position
  ) insert into ${topicEvents} (topic, position, event, payload, created_at)
  select topic, position, ${sql.placeholder('event')}, ${sql.placeholder('payload')}::jsonb,
    ${sql.placeholder('at')}::timestamptz from next
  returning position`);

async function appendMessage(tx: Transaction, now: Date, message: TopicMessage): Promise<StoredMessage> {
  const payload = JSON.stringify(message.payload);
  const append = appending({ ...message, payload, at: now.toISOString() });
  const rows = rowsOf<{ position: string }>(await tx.execute(append).execute());
  return { ...message, position: Number(rows[0]?.position) };
}

const positions = preparedRows(topicPositions, { where: sql`topic = any(${sql.placeholder('names')})` });

export async function positionsOf(db: Database, names: string[]): Promise<Map<string, number>> {
  const rows = await positions(db, { names });
  return new Map(rows.map((row) => [row.topic, row.position]));
}

/** With more missed events than this, the client loads everything instead. */
const maxMissed = 500;

/** The events after `last`, in order; null when there are too many or they are no longer stored. */
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
