import { anonymous } from '../../../platform/actor.ts';
import { type Context, createContext } from '../../../platform/context.ts';
import { findUser } from '../../users/service.ts';
import { whoMay } from './who-may.ts';

/**
 * Everything that starts code without a press (autorun, schedules) starts it in this context: in the name of the person
 * whose act it follows from, who must still be allowed to run code here. Null: it is not started. Secrets are decided by
 * `environmentOf` when the kernel starts.
 */
export async function unattendedRunner(ctx: Context, userId: string, projectId: string): Promise<Context | null> {
  const user = await findUser(ctx.db, userId);
  if (!user || user.suspendedAt) return null;
  const isAdmin = user.role === 'admin';
  const [allowed] = await whoMay(ctx.db, [{ userId, isAdmin }], [projectId], 'execute');
  if (!allowed) return null;
  const actor = { ...anonymous, kind: user.isGuest ? ('guest' as const) : ('user' as const), userId, isAdmin };
  return createContext(ctx, { ...ctx, actor });
}
