import type { Context, Write } from '../context.ts';
import { newId } from '../db/columns.ts';
import { actionLogs } from './table.ts';

interface Action {
  /** `subject.happened`. */
  action: string;
  subject: { type: string; id: string };
  reason?: string | null | undefined;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** Writes the entry in the transaction of the act, so that both are stored or neither is. */
export async function recordAction(ctx: Context, write: Write, given: Action): Promise<void> {
  const { action, subject } = given;
  const id = newId();
  const { userId, impersonatorId } = ctx.actor;
  await write.tx.insert(actionLogs).values({
    id,
    action,
    actorId: impersonatorId ?? userId,
    maskedAsId: impersonatorId ? userId : null,
    subjectType: subject.type,
    subjectId: subject.id,
    reason: given.reason ?? null,
    before: given.before ?? null,
    after: given.after ?? null,
    requestId: ctx.requestId,
    createdAt: ctx.now(),
  });
  await write.emit('admin.acted', { log_id: id, action, subject_type: subject.type, subject_id: subject.id });
}
