import type { ActivityEntry, EventName, Paging } from '@atoll/contract';
import { and, desc, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../../platform/context.ts';
import { eventsTable } from '../../../platform/events/table.ts';
import { requireProject } from '../../projects/service/access.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';

/** What the owner of a project is told; saving a file a hundred times is work, not an act. */
const shown: EventName[] = [
  'project.created',
  'project.updated',
  'project.deleted',
  'project.restored',
  'project.cloned',
  'project.offered',
  'project.offer_ended',
  'project.transferred',
  'project.shared',
  'project.grant_changed',
  'project.unshared',
  'project.shared_with_team',
  'project.team_grant_changed',
  'project.unshared_with_team',
  'project.link_changed',
  'project.invited',
  'project.invite_removed',
  'project.invite_accepted',
  'access.requested',
  'access.answered',
  'comment.created',
  'comment.settled',
  'comment.deleted',
  'comment.reported',
];

/** Events are the record of who did what; nothing is written twice for it. */
export async function projectActivity(
  ctx: Context,
  id: string,
  { page, page_size }: Paging,
): Promise<{ entries: ActivityEntry[]; total: number }> {
  await requireProject(ctx, ctx.db, id, 'project.share');
  const where = and(sql`${eventsTable.payload} ->> 'project_id' = ${id}`, inArray(eventsTable.name, shown));
  const rows = await ctx.db
    .select()
    .from(eventsTable)
    .where(where)
    .orderBy(desc(eventsTable.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const total = await ctx.db.$count(eventsTable, where);
  const subjectOf = (row: (typeof rows)[number]) => {
    const { user_id, to_user_id } = row.payload as { user_id?: string; to_user_id?: string };
    return user_id ?? to_user_id ?? null;
  };
  const people = await loadPeopleOf(ctx.db, rows, (row) => [row.actorId, subjectOf(row)]);
  const entries = rows.map((row) => ({
    id: row.id,
    action: row.name,
    user: people.get(row.actorId ?? '') ?? null,
    subject: people.get(subjectOf(row) ?? '') ?? null,
    created_at: row.createdAt.toISOString(),
  }));
  return { entries, total };
}
