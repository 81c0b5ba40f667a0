import { commentsNotifications } from '../comments/notifications.ts';
import { deliveriesNotifications } from '../deliveries/notifications.ts';
import type { Intersection } from '../intersection.ts';
import { projectsNotifications } from '../projects/notifications.ts';
import { publicationsNotifications } from '../publications/notifications.ts';
import { schedulesNotifications } from '../schedules/notifications.ts';
import { sharingNotifications } from '../sharing/notifications.ts';
import { strategiesNotifications } from '../strategies/notifications.ts';
import { subscriptionsNotifications } from '../subscriptions/notifications.ts';
import { teamsNotifications } from '../teams/notifications.ts';
import { usersNotifications } from '../users/notifications.ts';
import type { NotificationDeclaration } from './declare-notifications.ts';

/** Every feature's notifications. What follows is derived from it. */
const declarations = [
  commentsNotifications,
  deliveriesNotifications,
  projectsNotifications,
  publicationsNotifications,
  schedulesNotifications,
  sharingNotifications,
  strategiesNotifications,
  subscriptionsNotifications,
  teamsNotifications,
  usersNotifications,
] as const;

type Declared = (typeof declarations)[number];
type Groups = Intersection<Declared extends infer Each ? (Each extends { groups: infer Own } ? Own : never) : never>;
type Types = Intersection<Declared['types']>;

export type NotificationGroup = keyof Groups & string;
export const notificationGroups = Object.assign(
  {},
  ...declarations.map((each) => ('groups' in each ? each.groups : {})),
) as Groups;
export const notificationGroupNames = Object.keys(notificationGroups) as [NotificationGroup, ...NotificationGroup[]];

export type NotificationType = keyof Types & string;
export const notificationDeclarations: Record<
  NotificationType,
  NotificationDeclaration & { group: NotificationGroup }
> = Object.assign({}, ...declarations.map(({ types }) => types)) as Types;
export const notificationTypes = Object.keys(notificationDeclarations) as [NotificationType, ...NotificationType[]];
