import type { ProjectAbility } from '@atoll/contract';
import { allowOnRow, anyone, type Policy, registered } from '../../platform/policy/policy.ts';

/** Whoever sees a project reads what is said about it; to say something takes an account. */
const seesIt = (_actor: unknown, { abilities }: { abilities: ProjectAbility[] }) => abilities.includes('view');

export const commentsPolicy: Policy = {
  'comment.view': allowOnRow(anyone, seesIt),
  'comment.create': allowOnRow(registered, seesIt),
  'comment.edit': allowOnRow(registered, seesIt),
};
