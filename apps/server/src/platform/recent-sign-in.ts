import type { Context } from './context.ts';
import { denied } from './errors.ts';
import { recentlyAuthenticated } from './policy/policy.ts';

/** For actions that need a recent sign-in only in some cases; where it is always needed, the permission requires it. */
export function requireRecentSignIn(ctx: Context): void {
  const verdict = recentlyAuthenticated(ctx.actor);
  if (verdict === true) return;
  const isLongAgo = verdict === 'reauthentication_required';
  throw denied(verdict, isLongAgo ? 'Confirm your identity: sign in again to do this.' : 'Sign in to do this.');
}
