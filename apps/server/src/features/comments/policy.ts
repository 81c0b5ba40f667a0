import type { ProjectAbility } from '@atoll/contract';
import { allowOnRow, anyone, type Policy, registered } from '../../platform/policy/policy.ts';

/** Who sees a project reads what is said about it; to say something takes an account and the permission. */
const seesIt = (_actor: unknown, { abilities }: { abilities: ProjectAbility[] }) => abilities.includes('view');

export const commentsPolicy: Policy = {
  'comment.view': allowOnRow(anyone, seesIt),
  'comment.create': allowOnRow<{ abilities: ProjectAbility[] }>(registered, (_actor, { abilities }) =>
    abilities.includes('comment'),
  ),
  'comment.edit': allowOnRow(registered, seesIt),
};
