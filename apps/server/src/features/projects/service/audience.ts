import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/db/database.ts';
import { accessTopic, message, type TopicMessage } from '../../../platform/realtime/stream.ts';
import { projectGrants, projects } from '../table.ts';

/** After this somebody may have lost a right. */
export const rightsChanged = (project_id: string): TopicMessage => ({
  topic: accessTopic,
  event: 'project_changed',
  payload: { project_id },
});

export const told = (projectId: string, fields: string[]) =>
  message(topics.projectFiles, { projectId }, 'project_changed', { fields });

/** Everybody in whose lists the project is. */
export async function inLists(tx: Transaction, projectId: string, others: string[] = []): Promise<TopicMessage[]> {
  const [project] = await tx.select({ ownerId: projects.ownerId }).from(projects).where(eq(projects.id, projectId));
  const grants = await tx.select().from(projectGrants).where(eq(projectGrants.projectId, projectId));
  const people = new Set([project?.ownerId, ...grants.map((grant) => grant.userId), ...others]);
  return [...people]
    .filter((userId) => typeof userId === 'string')
    .map((userId) => message(topics.notifications, { userId }, 'projects_changed', { project_id: projectId }));
}
