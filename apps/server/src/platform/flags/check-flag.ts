import { type FeatureName, resolveFeature } from '@atoll/contract';
import type { Context } from '../context.ts';
import { denied } from '../errors.ts';
import { flagInputs } from './settings.ts';

/**
 * Refuses a feature that is turned off for the caller. Call it after the permission check, so that callers without the
 * permission learn nothing about the installation.
 */
export function checkFlag(
  ctx: Pick<Context, 'actor' | 'config' | 'state'>,
  flag: FeatureName | null | undefined,
): void {
  if (!flag || ctx.actor.kind === 'system') return;
  const { enabled, reason, message: own } = resolveFeature(flag, flagInputs(ctx, ctx.actor));
  if (enabled) return;
  const usual =
    reason === 'no_permissions'
      ? 'Your plan or role does not include this.'
      : 'This is turned off on this installation.';
  throw denied(reason ?? 'disabled_in_configuration', own ?? usual);
}
