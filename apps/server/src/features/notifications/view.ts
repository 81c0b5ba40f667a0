import { type Notification, notificationDeclarations, type PersonSummary, type TeamSummary } from '@atoll/contract';
import type { NotificationRow } from './table.ts';

export type ShownNotification = Omit<NotificationRow, 'userId' | 'eventKey' | 'mailedAt'>;

interface Relations {
  actor: PersonSummary | null;
  subject: PersonSummary | null;
  project: Notification['project'];
  team: TeamSummary | null;
  /** Of what it is about, where it has one of its own. */
  name: string | null;
  /** Where it is read. */
  path: string | null;
}

export const notificationView = (
  row: ShownNotification,
  { actor, subject, project, team, name, path }: Relations,
): Notification => ({
  id: row.id,
  type: row.type,
  source_user: actor,
  subject_user: subject,
  subject_team: team,
  entity: entityOf(row, { project, team, actor, name, path }),
  project,
  metadata: row.metadata,
  created_at: row.createdAt.toISOString(),
  seen_at: row.readAt?.toISOString() ?? null,
});

function entityOf(
  row: ShownNotification,
  { project, team, actor, name, path }: Omit<Relations, 'subject'>,
): Notification['entity'] {
  const shown = name ?? project?.name;
  if (row.entityType && row.entityId && shown) return { type: row.entityType, id: row.entityId, name: shown, path };
  if (notificationDeclarations[row.type].group === 'teams' && team && !project)
    return { type: 'team', id: team.id, name: team.name, path: null };
  if (project) return { type: 'project', ...project, path: null };
  if (team) return { type: 'team', id: team.id, name: team.name, path: null };
  return actor ? { type: 'user', id: actor.id, name: actor.user_name, path: null } : null;
}
