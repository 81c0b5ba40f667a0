import { type FeatureName, resolveFeature } from '@atoll/contract';
import type { Context } from './context.ts';
import { denied } from './errors.ts';

/** Refuses what is turned off for the caller. After the permission: who may not do it at all learns nothing about the installation. */
export function checkFlag(
  { actor, config }: Pick<Context, 'actor' | 'config'>,
  flag: FeatureName | null | undefined,
): void {
  if (!flag || actor.kind === 'system') return;
  const { enabled, reason } = resolveFeature(flag, {
    platform: config.platform,
    plan: actor.planFeatures,
    isAdmin: actor.isAdmin,
    person: actor.overrides,
    roles: actor.roleOverrides,
    configuration: config.features,
  });
  if (enabled) return;
  const message =
    reason === 'no_permissions'
      ? 'Your plan or role does not include this.'
      : 'This is turned off on this installation.';
  throw denied('disabled_in_configuration', message);
}
