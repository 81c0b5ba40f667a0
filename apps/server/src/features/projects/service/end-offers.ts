import type { EventPayload } from '@atoll/contract';
import type { SQL } from 'drizzle-orm';
import type { Write } from '../../../platform/context.ts';
import { projectOffers } from '../table.ts';

/** Answers how many there were. */
export async function endOffers(
  write: Write,
  which: SQL | undefined,
  reason: EventPayload<'project.offer_ended'>['reason'],
): Promise<number> {
  const ended = await write.tx.delete(projectOffers).where(which).returning();
  for (const { projectId, fromId, toId } of ended)
    await write.emit('project.offer_ended', {
      project_id: projectId,
      from_user_id: fromId,
      to_user_id: toId,
      reason,
    });
  return ended.length;
}
