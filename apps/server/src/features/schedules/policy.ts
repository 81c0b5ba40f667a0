import type { ProjectAbility } from '@atoll/contract';
import { allow, allowOnRow, type Policy, registered } from '../../platform/policy/policy.ts';

/** What one may do with the project, and whether a publication of it is scheduled. */
export interface ScheduleAccess {
  abilities: ProjectAbility[];
  publicationId: string | null;
}

const needed = ({ publicationId }: ScheduleAccess): ProjectAbility[] =>
  publicationId ? ['edit', 'execute', 'publish'] : ['edit', 'execute'];

/** Code that runs by itself takes an account, as does what is published by itself. */
export const schedulesPolicy: Policy = {
  'schedule.list': allow(registered),
  'schedule.view': allowOnRow<ScheduleAccess>(registered, (_actor, { abilities }) =>
    abilities.includes('view_history'),
  ),
  'schedule.edit': allowOnRow<ScheduleAccess>(registered, (_actor, access) =>
    needed(access).every((ability) => access.abilities.includes(ability)),
  ),
};
