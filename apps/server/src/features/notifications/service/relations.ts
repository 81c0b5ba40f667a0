import type { Notification, PersonSummary, TeamSummary } from '@atoll/contract';
import { and, inArray, isNotNull } from 'drizzle-orm';
import { anonymous } from '../../../platform/actor.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { comments } from '../../comments/table.ts';
import { accessOf, allGranted, callerGrants } from '../../projects/service/access.ts';
import { loadPeople } from '../../projects/service/relations.ts';
import { projects } from '../../projects/table.ts';
import { teams } from '../../teams/table.ts';
import { teamSummaryView } from '../../teams/view.ts';
import { notificationView, type Told } from '../view.ts';

type Reader = Database | Transaction;

/** As one reader sees them: what they may not see (any more) is not named to them. */
export async function forReader(db: Reader, userId: string, rows: Told[]): Promise<Notification[]> {
  if (rows.length === 0) return [];
  const people = await loadPeople(
    db,
    rows.flatMap((row) => [row.actorId, row.subjectId]).filter((id) => id !== null),
  );
  const named = await namesFor(db, userId, idsOf(rows, 'projectId'));
  const summaries = await summariesOf(db, idsOf(rows, 'teamId'));
  const gone = await deletedOf(db, idsOf(rows, 'commentId'));
  const personOf = (id: string | null): PersonSummary | null => people.get(id ?? '') ?? null;
  return rows.map((row) => {
    const { excerpt, ...metadata } = row.metadata;
    return notificationView(
      { ...row, metadata: gone.has(row.commentId ?? '') || !excerpt ? metadata : row.metadata },
      {
        actor: personOf(row.actorId),
        subject: personOf(row.subjectId),
        project: named.get(row.projectId ?? '') ?? null,
        team: summaries.get(row.teamId ?? '') ?? null,
      },
    );
  });
}

const idsOf = (rows: Told[], field: 'projectId' | 'teamId' | 'commentId') => [
  ...new Set(rows.flatMap((row) => row[field] ?? [])),
];

async function namesFor(db: Reader, userId: string, ids: string[]): Promise<Map<string, { id: string; name: string }>> {
  if (ids.length === 0) return new Map();
  const actor = { ...anonymous, userId };
  const rows = await db
    .select({ project: projects, grants: callerGrants(actor) })
    .from(projects)
    .where(inArray(projects.id, ids));
  return new Map(
    rows
      .filter(({ project, grants }) => accessOf(actor, project, allGranted(grants)).abilities.includes('view'))
      .map(({ project: { id, name } }) => [id, { id, name }]),
  );
}

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
