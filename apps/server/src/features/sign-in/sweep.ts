import { lt } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { oauthStates, oneTimeTokens } from './table.ts';

/** What has run out lets nobody in any more, used or not. */
export async function sweepSignIn(ctx: Context): Promise<void> {
  await ctx.db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, ctx.now()));
  await ctx.db.delete(oauthStates).where(lt(oauthStates.expiresAt, ctx.now()));
}
