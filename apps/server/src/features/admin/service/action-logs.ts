import type { ActionLog, actionLogFilter, EndpointInput } from '@atoll/contract';
import { and, desc, eq, gte, ilike, lt, or } from 'drizzle-orm';
import type { z } from 'zod';
import { type ActionLogRow, actionLogs } from '../../../platform/action-log/table.ts';
import type { Context } from '../../../platform/context.ts';
import { containing } from '../../../platform/like.ts';
import { loadPeopleOf } from '../../projects/service/relations.ts';

export type LogFilter = z.output<typeof actionLogFilter>;

export async function listActions(ctx: Context, input: EndpointInput<'admin', 'actionLogs'>) {
  const pattern = containing(input.search ?? '');
  const rows = await ctx.db
    .select()
    .from(actionLogs)
    .where(
      and(
        input.search ? or(ilike(actionLogs.action, pattern), ilike(actionLogs.reason, pattern)) : undefined,
        input.actor_id ? eq(actionLogs.actorId, input.actor_id) : undefined,
        input.subject_id ? eq(actionLogs.subjectId, input.subject_id) : undefined,
        input.from ? gte(actionLogs.createdAt, new Date(input.from)) : undefined,
        input.to ? lt(actionLogs.createdAt, new Date(input.to)) : undefined,
        input.before ? lt(actionLogs.id, input.before) : undefined,
      ),
    )
    .orderBy(desc(actionLogs.id))
    .limit(input.page_size + 1);
  const page = rows.slice(0, input.page_size);
  return { entries: await views(ctx, page), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

async function views(ctx: Context, rows: ActionLogRow[]): Promise<ActionLog[]> {
  const people = await loadPeopleOf(ctx.db, rows, ({ actorId, maskedAsId, subjectType, subjectId }) => [
    actorId,
    maskedAsId,
    subjectType === 'user' && subjectId ? subjectId : null,
  ]);
  return rows.map((row) => {
    const { before, after } = row;
    const named = row.subjectType === 'user' ? people.get(row.subjectId)?.user_name : (after?.name ?? before?.name);
    return {
      id: row.id,
      action: row.action,
      actor: people.get(row.actorId ?? '') ?? null,
      masked_as: people.get(row.maskedAsId ?? '') ?? null,
      subject: { type: row.subjectType, id: row.subjectId, name: typeof named === 'string' ? named : null },
      reason: row.reason,
      before,
      after,
      created_at: row.createdAt.toISOString(),
    };
  });
}
