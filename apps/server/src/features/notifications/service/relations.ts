import type { Notification, PersonSummary, TeamSummary } from '@atoll/contract';
import { and, inArray, isNotNull } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { comments } from '../../comments/table.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { type Asker, whoMay } from '../../projects/service/who-may.ts';
import { teams } from '../../teams/table.ts';
import { teamSummaryView } from '../../teams/view.ts';
import { notificationView, type ShownNotification } from '../view.ts';

type Reader = Database | Transaction;

/** As one reader sees them: what they may not see (any more) is not named to them. */
export const forReader = (db: Reader, reader: Asker, rows: ShownNotification[]): Promise<Notification[]> =>
  forReaders(
    db,
    [reader],
    rows.map((row) => ({ ...row, userId: reader.userId })),
  );

export async function forReaders(
  db: Reader,
  readers: Asker[],
  rows: (ShownNotification & { userId: string | null })[],
): Promise<Notification[]> {
  const people = rows.flatMap((row) => [row.actorId, row.subjectId]).filter((id) => id !== null);
  const [named, seen, summaries, gone] = await Promise.all([
    loadPeople(db, people),
    whoMay(db, readers, idsOf(rows, 'projectId'), 'view'),
    summariesOf(db, idsOf(rows, 'teamId')),
    deletedOf(db, idsOf(rows, 'commentId')),
  ]);
  const projects = new Map(seen.map(({ userId, project }) => [`${userId} ${project.id}`, project]));
  const personOf = (id: string | null): PersonSummary | null => named.get(id ?? '') ?? null;
  return rows.map((row) => {
    const { excerpt, ...metadata } = row.metadata;
    return notificationView(
      { ...row, metadata: gone.has(row.commentId ?? '') || !excerpt ? metadata : row.metadata },
      {
        actor: personOf(row.actorId),
        subject: personOf(row.subjectId),
        project: projects.get(`${row.userId} ${row.projectId}`) ?? null,
        team: summaries.get(row.teamId ?? '') ?? null,
      },
    );
  });
}

const idsOf = (rows: ShownNotification[], field: 'projectId' | 'teamId' | 'commentId') => [
  ...new Set(rows.flatMap((row) => row[field] ?? [])),
];

async function summariesOf(db: Reader, ids: string[]): Promise<Map<string, TeamSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(teams).where(inArray(teams.id, ids));
  return new Map(rows.map((team) => [team.id, teamSummaryView(team)]));
}

async function deletedOf(db: Reader, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: comments.id })
    .from(comments)
    .where(and(inArray(comments.id, ids), isNotNull(comments.deletedAt)));
  return new Set(rows.map((row) => row.id));
}
