import { topics } from '@atoll/contract';
import { eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../../../platform/db/database.ts';
import { accessTopic, message, type TopicMessage } from '../../../platform/realtime/stream.ts';
import { teamMembers } from '../../teams/table.ts';
import { projectGrants, projects } from '../table.ts';

/** So many members of teams are told of every change; the others see it when they look. */
const mostMembers = 200;

/** After this somebody may do more here, or less. */
export const rightsChanged = (project_id: string): TopicMessage => ({
  topic: accessTopic,
  event: 'project_changed',
  payload: { project_id },
});

export const projectChanged = (projectId: string, fields: string[]) =>
  message(topics.projectFiles, { projectId }, 'project_changed', { fields });

/** As many as are told at once. */
export async function membersOf(tx: Transaction, ...teamIds: string[]): Promise<string[]> {
  if (teamIds.length === 0) return [];
  const members = await tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(inArray(teamMembers.teamId, teamIds))
    .limit(mostMembers);
  return members.map((member) => member.userId);
}

/** Everybody in whose lists the project is. */
export async function inLists(tx: Transaction, projectId: string, others: string[] = []): Promise<TopicMessage[]> {
  const [project] = await tx.select({ ownerId: projects.ownerId }).from(projects).where(eq(projects.id, projectId));
  const grants = await tx.select().from(projectGrants).where(eq(projectGrants.projectId, projectId));
  const teamIds = grants.flatMap((grant) => grant.teamId ?? []);
  const people = new Set([
    project?.ownerId,
    ...grants.map((grant) => grant.userId),
    ...(await membersOf(tx, ...teamIds)),
    ...others,
  ]);
  return [...people]
    .filter((userId) => typeof userId === 'string')
    .map((userId) => message(topics.person, { userId }, 'projects_changed', { project_id: projectId }));
}

/** A change of these fields after which somebody may do more here, or less. */
export const changeOfRights = async (
  tx: Transaction,
  projectId: string,
  fields: string[],
  others: string[] = [],
): Promise<TopicMessage[]> => [
  projectChanged(projectId, fields),
  rightsChanged(projectId),
  ...(await inLists(tx, projectId, others)),
];
