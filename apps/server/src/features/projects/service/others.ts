import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { projectGrants, projects } from '../table.ts';

/** Whether this person owns the project and has accepted what came with it from another owner. */
export async function isOwnAndRead(db: Database | Transaction, projectId: string, userId: string): Promise<boolean> {
  const isOwn = and(eq(projects.id, projectId), eq(projects.ownerId, userId));
  return (await db.$count(projects, and(isOwn, eq(projects.isAwaitingReview, false)))) > 0;
}

/** Whether people other than the owner may write or run what this project runs. */
export async function othersMayChange(db: Database | Transaction, projectId: string): Promise<boolean> {
  const [other] = await db
    .select({ id: projectGrants.id })
    .from(projectGrants)
    .innerJoin(projects, eq(projects.id, projectGrants.projectId))
    .where(
      and(
        eq(projectGrants.projectId, projectId),
        sql`${projectGrants.permissions} ?| array['edit', 'execute']`,
        or(isNull(projectGrants.userId), ne(projectGrants.userId, projects.ownerId)),
      ),
    )
    .limit(1);
  return other !== undefined;
}
