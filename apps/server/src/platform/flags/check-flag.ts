import { type FeatureName, resolveFeature } from '@atoll/contract';
import type { Context } from '../context.ts';
import { denied } from '../errors.ts';
import { flagInputs } from './settings.ts';

/** Refuses what is turned off for the caller. After the permission: who may not do it at all learns nothing about the installation. */
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
