import type { PersonSummary } from '../projects/entity.ts';
import type { TeamSummary } from '../teams/entity.ts';
import type { NotificationMetadata } from './metadata.ts';

/** A feature's notifications: apart from its other declarations, because the browser needs these words and no schemas. */
interface Notifications {
  /** By what people choose what they are notified of, and how; each type belongs to one. */
  groups?: Record<string, { label: string; text: string; choice: NotificationChoice }>;
  types: Record<string, NotificationDeclaration>;
}

export type NotificationChoice = 'off' | 'app' | 'email';

export interface NotificationDeclaration {
  group: string;
  /** One sentence without its full stop. */
  words(names: NotificationNames): string;
  /** Where it leads, when that is neither its project nor its team. */
  path?(content: NotificationContent): string | null;
}

export interface NotificationContent {
  source_user: PersonSummary | null;
  subject_user: PersonSummary | null;
  subject_team: TeamSummary | null;
  entity: { type: string; id: string; name: string; path: string | null } | null;
  project: { id: string; name: string } | null;
  metadata: NotificationMetadata;
}

export interface NotificationNames {
  who: string;
  /** Chooses the verb: one does, several do. */
  does(one: string, several: string): string;
  whom: string;
  project: string;
  team: string;
  /** The name of what it is about. */
  entity: string;
  news: NotificationContent;
}

export const declareNotifications = <const Declared extends Notifications>(declared: Declared): Declared => declared;
