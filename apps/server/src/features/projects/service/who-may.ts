import type { ProjectAbility } from '@atoll/contract';
import { eq, inArray } from 'drizzle-orm';
import { anonymous } from '../../../platform/actor.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { users } from '../../users/table.ts';
import { projects } from '../table.ts';
import { accessOf, allGranted, callerGrants } from './access.ts';

/** Which of these people may do this with a project: the same rule as when they ask themselves. */
export async function whoMay(
  db: Database | Transaction,
  projectId: string,
  userIds: string[],
  ability: ProjectAbility,
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const people = await db.select({ id: users.id, role: users.role }).from(users).where(inArray(users.id, userIds));
  const allowed: string[] = [];
  for (const { id, role } of people) {
    const actor = { ...anonymous, userId: id, isAdmin: role === 'admin' };
    const [found] = await db
      .select({ project: projects, grants: callerGrants(actor) })
      .from(projects)
      .where(eq(projects.id, projectId));
    if (found && accessOf(actor, found.project, allGranted(found.grants)).abilities.includes(ability)) allowed.push(id);
  }
  return allowed;
}
