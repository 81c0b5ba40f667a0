import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { projectGrants, projects } from '../table.ts';

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
