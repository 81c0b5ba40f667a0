import { topics } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/db/database.ts';
import type { EventHandlers } from '../../platform/events/relay.ts';
import type { Broadcasts } from '../../platform/feature.ts';
import { accessTopic, message, type TopicMessage } from '../../platform/realtime/stream.ts';
import { adoptProjects } from './service/write.ts';
import { projectGrants, projects } from './table.ts';

export const projectEvents: EventHandlers = {
  'guest.merged': (ctx, { guest_user_id, user_id }) => adoptProjects(ctx, guest_user_id, user_id),
};

/** After this somebody may have lost a right. */
const rightsChanged = (project_id: string): TopicMessage => ({
  topic: accessTopic,
  event: 'project_changed',
  payload: { project_id },
});

const told = (projectId: string, fields: string[]) =>
  message(topics.projectFiles, { projectId }, 'project_changed', { fields });

/** Everybody in whose lists the project is. */
async function inLists(tx: Transaction, projectId: string, others: string[] = []): Promise<TopicMessage[]> {
  const [project] = await tx.select({ ownerId: projects.ownerId }).from(projects).where(eq(projects.id, projectId));
  const grants = await tx.select().from(projectGrants).where(eq(projectGrants.projectId, projectId));
  const people = new Set([project?.ownerId, ...grants.map((grant) => grant.userId), ...others]);
  return [...people]
    .filter((userId) => typeof userId === 'string')
    .map((userId) => message(topics.notifications, { userId }, 'projects_changed', { project_id: projectId }));
}

export const projectBroadcasts: Broadcasts = {
  'project.created': (tx, { project_id }) => inLists(tx, project_id),
  'project.cloned': (tx, { clone_id }) => inLists(tx, clone_id),
  'project.updated': async (tx, { project_id, fields }) => [
    told(project_id, fields),
    ...(fields.includes('visibility') ? [rightsChanged(project_id)] : []),
    ...(await inLists(tx, project_id)),
  ],
  'project.deleted': async (tx, { project_id }) => [
    told(project_id, ['deleted_at']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id)),
  ],
  'project.restored': async (tx, { project_id }) => [
    told(project_id, ['deleted_at']),
    ...(await inLists(tx, project_id)),
  ],
  'project.transferred': async (tx, { project_id, from_user_id }) => [
    told(project_id, ['owner']),
    rightsChanged(project_id),
    ...(await inLists(tx, project_id, [from_user_id])),
  ],
};
