import type { Notification, PersonSummary } from '@atoll/contract';
import type { NotificationRow } from './table.ts';

export const notificationView = (
  row: NotificationRow,
  actor: PersonSummary | null,
  project: Notification['project'],
): Notification => ({
  id: row.id,
  type: row.type,
  actor,
  project,
  created_at: row.createdAt.toISOString(),
  read_at: row.readAt?.toISOString() ?? null,
});
