import type { EntityType, Notification, PersonSummary, TeamSummary } from '@atoll/contract';
import { inArray } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';
import { type Asker, whoMay } from '../../projects/service/who-may.ts';
import { teams } from '../../teams/table.ts';
import { teamSummaryView } from '../../teams/view.ts';
import { notificationView, type ShownNotification } from '../view.ts';

type Reader = Database | Transaction;

/** As one reader sees them: what they may not see (any more) is not named to them. */
export const forReader = (
  ctx: Context,
  db: Reader,
  reader: Asker,
  rows: ShownNotification[],
): Promise<Notification[]> =>
  forReaders(
    ctx,
    db,
    [reader],
    rows.map((row) => ({ ...row, userId: reader.userId })),
  );

export async function forReaders(
  ctx: Context,
  db: Reader,
  readers: Asker[],
  rows: (ShownNotification & { userId: string | null })[],
): Promise<Notification[]> {
  const [named, seen, summaries, entities] = await Promise.all([
    loadPeopleOf(db, rows, (row) => [row.actorId, row.subjectId]),
    whoMay(db, readers, idsOf(rows, 'projectId'), 'view'),
    summariesOf(db, idsOf(rows, 'teamId')),
    entitiesOf(ctx, db, rows),
  ]);
  const projects = new Map(seen.map(({ userId, project }) => [`${userId} ${project.id}`, project]));
  const personOf = (id: string | null): PersonSummary | null => named.get(id ?? '') ?? null;
  return rows.map((row) => {
    const { excerpt: _, ...metadata } = row.metadata;
    const entity = row.entityId ? entities.get(row.entityId) : undefined;
    const isGone = row.entityId !== null && !entity;
    return notificationView(
      // What was deleted is quoted no longer.
      { ...row, metadata: isGone ? metadata : row.metadata },
      {
        actor: personOf(row.actorId),
        subject: personOf(row.subjectId),
        project: projects.get(`${row.userId} ${row.projectId}`) ?? null,
        team: summaries.get(row.teamId ?? '') ?? null,
        name: entity?.name ?? null,
        path: entity?.path ?? null,
      },
    );
  });
}

const idsOf = (rows: ShownNotification[], field: 'projectId' | 'teamId') => [
  ...new Set(rows.flatMap((row) => row[field] ?? [])),
];

async function summariesOf(db: Reader, ids: string[]): Promise<Map<string, TeamSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select().from(teams).where(inArray(teams.id, ids));
  return new Map(rows.map((team) => [team.id, teamSummaryView(team)]));
}

/** By id, each loaded by its own feature. */
async function entitiesOf(ctx: Context, db: Reader, rows: ShownNotification[]) {
  const idsOfType = new Map<EntityType, Set<string>>();
  for (const { entityType, entityId } of rows)
    if (entityType && entityId) idsOfType.set(entityType, (idsOfType.get(entityType) ?? new Set()).add(entityId));
  const found = await Promise.all([...idsOfType].map(([type, ids]) => ctx.entities[type]?.(db, [...ids]) ?? new Map()));
  return new Map(found.flatMap((entities) => [...entities]));
}
