import type { ProjectAbility } from '@atoll/contract';
import type { Context } from '../../../platform/context.ts';
import type { RenderShare } from '../../../platform/renderer/renderer.ts';

/** A script that never ends takes the place of its owner and of the one who asked; a visitor without an account is their address. */
export const renderShare = (
  { actor, credentials }: Context,
  ownerId: string,
  abilities: readonly ProjectAbility[],
): RenderShare => ({
  people: [...new Set([ownerId, actor.userId ?? credentials.ip])].filter(Boolean),
  isReader: actor.kind !== 'system' && !abilities.some((ability) => ability === 'edit' || ability === 'publish'),
});
