import type { z } from 'zod';
import { accountDeclaration } from './account/declaration.ts';
import { commentsDeclaration } from './comments/declaration.ts';
import type { Declaration } from './declaration.ts';
import { filesDeclaration } from './files/declaration.ts';
import { kernelsDeclaration } from './kernels/declaration.ts';
import { mailDeclaration } from './mail/declaration.ts';
import { notificationsDeclaration } from './notifications/declaration.ts';
import { projectsDeclaration } from './projects/declaration.ts';
import { quotaDeclaration } from './quota/declaration.ts';
import { runsDeclaration } from './runs/declaration.ts';
import { secretsDeclaration } from './secrets/declaration.ts';
import { sessionDeclaration } from './session/declaration.ts';
import { sharingDeclaration } from './sharing/declaration.ts';
import { signInDeclaration } from './sign-in/declaration.ts';
import { siteDeclaration } from './site/declaration.ts';
import { systemDeclaration } from './system/declaration.ts';
import { teamsDeclaration } from './teams/declaration.ts';
import { themeDeclaration } from './theme/declaration.ts';
import { trackingDeclaration } from './tracking/declaration.ts';
import { uploadsDeclaration } from './uploads/declaration.ts';
import { usersDeclaration } from './users/declaration.ts';

/** Every feature's declaration. What follows is derived from it. */
const declarations = [
  accountDeclaration,
  commentsDeclaration,
  filesDeclaration,
  kernelsDeclaration,
  mailDeclaration,
  notificationsDeclaration,
  projectsDeclaration,
  quotaDeclaration,
  runsDeclaration,
  secretsDeclaration,
  sessionDeclaration,
  sharingDeclaration,
  signInDeclaration,
  siteDeclaration,
  systemDeclaration,
  teamsDeclaration,
  themeDeclaration,
  trackingDeclaration,
  uploadsDeclaration,
  usersDeclaration,
] as const;

type Declared = (typeof declarations)[number];
type PermissionsOf<Each> = Each extends { permissions: readonly (infer Name)[] } ? Name : never;
type EventsOf<Each> = Each extends { events: infer Events } ? Events : never;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;

const listed: readonly Declaration[] = declarations;

export type Permission = PermissionsOf<Declared> & string;
export const permissions = listed.flatMap((each) => each.permissions ?? []) as Permission[];

type Events = Intersection<EventsOf<Declared>>;
export const events = Object.assign({}, ...listed.map((each) => each.events)) as Events;
export type EventName = keyof Events & string;
export type EventPayload<Name extends EventName> = z.infer<Events[Name]>;
