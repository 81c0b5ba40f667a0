import type { Context } from '../../../platform/context.ts';
import { findUser, personOf } from '../../users/service.ts';
import { whoMay } from './who-may.ts';

/**
 * Everything that starts code without a press (autorun, schedules) starts it in this context: in the name of the person
 * whose act it follows from, who must still be allowed to run code here. Null: it is not started. Secrets are decided by
 * `environmentOf` when the kernel starts.
 */
export async function unattendedRunner(ctx: Context, userId: string, projectId: string): Promise<Context | null> {
  const user = await findUser(ctx.db, userId);
  if (!user || user.suspendedAt) return null;
  const person = personOf(user);
  const [allowed] = await whoMay(ctx.db, [person], [projectId], 'execute');
  return allowed ? ctx.as(person) : null;
}
