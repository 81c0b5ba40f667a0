import type { ProjectAbility } from '../projects/access.ts';

export const commentRights = ['edit', 'delete', 'resolve'] as const;
export type CommentRight = (typeof commentRights)[number];

interface RightsInputs {
  isAuthor: boolean;
  isDeleted: boolean;
  /** A reply, or what readers say under a publication: neither is settled. */
  isNeverResolved: boolean;
  abilities: readonly ProjectAbility[];
}

/** Authors change their words; who may change the project settles threads, who owns it tidies up. Used by both sides. */
export function commentRightsOn({ isAuthor, isDeleted, isNeverResolved, abilities }: RightsInputs): CommentRight[] {
  if (isDeleted) return [];
  const has: Record<CommentRight, boolean> = {
    edit: isAuthor,
    delete: isAuthor || abilities.includes('delete'),
    resolve: !isNeverResolved && (isAuthor || abilities.includes('edit')),
  };
  return commentRights.filter((right) => has[right]);
}
