import type { z } from 'zod';
import { accountDeclaration } from './account/declaration.ts';
import { adminDeclaration } from './admin/declaration.ts';
import { aiDeclaration } from './ai/declaration.ts';
import { artifactsDeclaration } from './artifacts/declaration.ts';
import { commentsDeclaration } from './comments/declaration.ts';
import type { Declaration } from './declaration.ts';
import { deliveriesDeclaration } from './deliveries/declaration.ts';
import { embedsDeclaration } from './embeds/declaration.ts';
import { filesDeclaration } from './files/declaration.ts';
import type { Intersection } from './intersection.ts';
import { jobsDeclaration } from './jobs/declaration.ts';
import { kernelsDeclaration } from './kernels/declaration.ts';
import { mailDeclaration } from './mail/declaration.ts';
import { notificationsDeclaration } from './notifications/declaration.ts';
import { paymentsDeclaration } from './payments/declaration.ts';
import { portfoliosDeclaration } from './portfolios/declaration.ts';
import { projectsDeclaration } from './projects/declaration.ts';
import { publicationsDeclaration } from './publications/declaration.ts';
import { quotaDeclaration } from './quota/declaration.ts';
import { referralsDeclaration } from './referrals/declaration.ts';
import { reportsDeclaration } from './reports/declaration.ts';
import { runsDeclaration } from './runs/declaration.ts';
import { schedulesDeclaration } from './schedules/declaration.ts';
import { secretsDeclaration } from './secrets/declaration.ts';
import { sessionDeclaration } from './session/declaration.ts';
import { sharingDeclaration } from './sharing/declaration.ts';
import { signInDeclaration } from './sign-in/declaration.ts';
import { siteDeclaration } from './site/declaration.ts';
import { strategiesDeclaration } from './strategies/declaration.ts';
import { subscriptionsDeclaration } from './subscriptions/declaration.ts';
import { systemDeclaration } from './system/declaration.ts';
import { teamsDeclaration } from './teams/declaration.ts';
import { telegramDeclaration } from './telegram/declaration.ts';
import { themeDeclaration } from './theme/declaration.ts';
import { trackingDeclaration } from './tracking/declaration.ts';
import { tradingDeclaration } from './trading/declaration.ts';
import { uploadsDeclaration } from './uploads/declaration.ts';
import { usersDeclaration } from './users/declaration.ts';
import { walletDeclaration } from './wallet/declaration.ts';

/** Every feature's declaration. What follows is derived from it. */
const declarations = [
  accountDeclaration,
  adminDeclaration,
  aiDeclaration,
  artifactsDeclaration,
  commentsDeclaration,
  deliveriesDeclaration,
  telegramDeclaration,
  embedsDeclaration,
  filesDeclaration,
  jobsDeclaration,
  kernelsDeclaration,
  mailDeclaration,
  notificationsDeclaration,
  paymentsDeclaration,
  portfoliosDeclaration,
  strategiesDeclaration,
  projectsDeclaration,
  publicationsDeclaration,
  quotaDeclaration,
  referralsDeclaration,
  reportsDeclaration,
  runsDeclaration,
  schedulesDeclaration,
  secretsDeclaration,
  sessionDeclaration,
  sharingDeclaration,
  signInDeclaration,
  siteDeclaration,
  subscriptionsDeclaration,
  systemDeclaration,
  teamsDeclaration,
  themeDeclaration,
  trackingDeclaration,
  tradingDeclaration,
  uploadsDeclaration,
  usersDeclaration,
  walletDeclaration,
] as const;

type Declared = (typeof declarations)[number];
type OwnOf<Each, Part extends keyof Declaration> = Each extends Record<Part, infer Own> ? Own : never;
type Joined<Part extends keyof Declaration> = Intersection<OwnOf<Declared, Part>>;
type Listed<Part extends 'permissions' | 'entities'> =
  OwnOf<Declared, Part> extends infer Own ? (Own extends readonly (infer Name extends string)[] ? Name : never) : never;

const listed: readonly Declaration[] = declarations;

/** Every name belongs to one feature: a second one of the same name would replace the first unseen. */
function joined<Part extends 'events' | 'personEvents'>(part: Part) {
  const entries = listed.flatMap((each) => Object.entries(each[part] ?? {}));
  if (new Set(entries.map(([name]) => name)).size < entries.length) throw new Error(`Declared twice among ${part}`);
  return Object.fromEntries(entries) as Joined<Part>;
}

export type Permission = Listed<'permissions'>;
export const permissions = listed.flatMap((each) => each.permissions ?? []) as Permission[];

export const events = joined('events');
export type EventName = keyof Joined<'events'> & string;
export type EventPayload<Name extends EventName> = z.infer<Joined<'events'>[Name]>;

export const personEvents = joined('personEvents');

export type EntityType = Listed<'entities'>;
export const entityTypes = listed.flatMap((each) => each.entities ?? []) as [EntityType, ...EntityType[]];
