import type { EventName, EventPayload, Permission } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';
import type { Config } from '../config.ts';
import type { Actor, CredentialProblem, Credentials } from './actor.ts';
import { newId } from './db/columns.ts';
import type { Database, Transaction } from './db/database.ts';
import type { Entities } from './entities.ts';
import { denied, notFound, unauthorized } from './errors.ts';
import { eventsTable } from './events/table.ts';
import type { Limits } from './http/limits.ts';
import { type EnqueueOptions, enqueue, type JobKind } from './jobs/enqueue.ts';
import type { Kernels } from './kernels/kernels.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Peers } from './messages/peers.ts';
import type { Policy } from './policy/policy.ts';
import type { PublicationKind } from './publication-kind.ts';
import { appendMessages, type StoredMessage, type TopicMessage } from './realtime/stream.ts';
import type { Tables } from './tables/tables.ts';

/** What the platform gives to every request, event and job. */
export interface Services {
  config: Config;
  db: Database;
  mail: Mailer;
  blobs: BlobStore;
  tables: Tables;
  kernels: Kernels;
  /** The other servers on this database. */
  peers: Peers;
  policy: Policy;
  now: () => Date;
  limits: Limits;
  /** Tells the person at the terminal something they need, such as the first sign-in link. */
  announce: (what: 'admin_link', text: string) => void;
  /** After a commit: wakes the relay, and tells the topics what is new. */
  committed: (written: { hasEvents: boolean; hasJobs: boolean; messages: StoredMessage[] }) => void;
  /** What the features tell the topics of an event. */
  broadcasts: (db: Transaction, name: EventName, payload: unknown) => Promise<TopicMessage[]>;
  /** How the features name what notifications are about. */
  entities: Entities;
  /** How each kind of document is published. */
  publicationKinds: readonly PublicationKind<Context>[];
}

export interface Write {
  tx: Transaction;
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>): Promise<void>;
  /** Background work that this write makes necessary; answers the job's id. */
  enqueue<Payload>(job: JobKind<Payload>, payload: Payload, options?: EnqueueOptions): Promise<string>;
  /** A last statement, begun when all else is done; it travels with the commit, which depends on it. */
  last(begin: () => Promise<unknown>): void;
  /** To a realtime topic, with the commit; for what is no event of the product. */
  publish(message: TopicMessage): void;
  /** Once all of it is stored, in this process: a nudge that may be lost with it. */
  after(work: () => void): void;
}

/** What the browser is told beside the body; a request's only, never an event handler's. */
export interface Response {
  openSession(token: string, expiresAt: Date): void;
  closeSession(): void;
  rememberDevice(device: string): void;
  retryAfter(seconds: number): void;
}

export interface Context extends Services {
  actor: Actor;
  credentials: Credentials;
  credentialProblem: CredentialProblem | null;
  suspensionMessage?: string;
  requestId: string;
  log: Log;
  response: Response;
  /** One transaction: the change and its events are stored together or not at all. */
  write<Result>(work: (write: Write) => Promise<Result>): Promise<Result>;
  /** Refuses unless the rule of the permission allows this row; strangers learn nothing, not even that it exists. */
  authorize(permission: Permission, row: unknown): void;
  /** Which of these the caller may do with the row; travels with the entity as `permissions`. */
  permitted(permissions: Permission[], row: unknown): Permission[];
  /** Set by the binder once the request could be read. */
  isDecoded: boolean;
  /** Set by the binder: the row check this endpoint must not finish without. */
  pending: Permission | null;
}

interface Request {
  actor: Actor;
  credentials: Credentials;
  credentialProblem: CredentialProblem | null;
  suspensionMessage?: string;
  requestId: string;
  log: Log;
  response: Response;
}

export function createContext(services: Services, request: Request): Context {
  const { policy } = services;
  const allows = (permission: Permission, row: unknown) => {
    const rule = policy[permission];
    return rule !== undefined && rule.actor(request.actor) === true && (rule.row?.(request.actor, row) ?? true);
  };
  const context: Context = {
    ...services,
    ...request,
    isDecoded: false,
    pending: null,
    permitted: (permissions, row) => permissions.filter((permission) => allows(permission, row)),
    authorize(permission, row) {
      const verdict = policy[permission]?.actor(request.actor);
      if (verdict !== true) throw request.actor.userId ? denied(verdict ?? 'no_permissions') : unauthorized();
      if (!allows(permission, row)) throw notFound();
      if (context.pending === permission) context.pending = null;
    },
    async write(work) {
      let ending: Promise<StoredMessage[]> = Promise.resolve([]);
      const afters: (() => void)[] = [];
      let hasJobs = false;
      const transaction = services.db.transaction(async (tx) => {
        const events: NewEvent[] = [];
        const messages: TopicMessage[] = [];
        const lasts: (() => Promise<unknown>)[] = [];
        const result = await work({
          tx,
          emit: async (name, payload) => void events.push(newEvent(context, name, payload)),
          enqueue: (job, payload, options) => {
            hasJobs = true;
            return enqueue(tx, context.now(), job, payload, options);
          },
          publish: (message) => messages.push(message),
          last: (begin) => lasts.push(begin),
          after: (nudge) => afters.push(nudge),
        });
        // A forgotten row check must not be able to commit.
        if (context.pending) throw new Error(`The row check for ${context.pending} was never made`);
        for (const { name, payload } of events) messages.push(...(await services.broadcasts(tx, name, payload)));
        ending = end(tx, context.now(), { events, messages, lasts });
        ending.catch(() => {});
        return { result, hasEvents: events.length > 0 };
      });
      const { result, hasEvents } = await transaction.catch(async (error: unknown) => {
        // The commit only knows that something before it failed, and this is what.
        await ending;
        throw error;
      });
      services.committed({ hasEvents, hasJobs, messages: await ending });
      for (const nudge of afters) nudge();
      return result;
    },
  };
  return context;
}

type NewEvent = typeof eventsTable.$inferInsert & { name: EventName };

function newEvent(ctx: Context, name: EventName, payload: unknown): NewEvent {
  const now = ctx.now();
  return {
    id: newId(),
    name,
    payload,
    actorId: ctx.actor.userId,
    impersonatorId: ctx.actor.impersonatorId,
    requestId: ctx.requestId,
    createdAt: now,
    dueAt: now,
  };
}

/** One statement takes 65,535 values. */
const eventsAtOnce = 500;

interface Ending {
  events: NewEvent[];
  messages: TopicMessage[];
  lasts: (() => Promise<unknown>)[];
}

/**
 * Everything is begun here and nothing waited for: it reaches the database in one go, with the commit behind it. What cannot
 * even be begun is thrown at once, so that nothing is committed.
 */
function end(tx: Transaction, now: Date, { events, messages, lasts }: Ending): Promise<StoredMessage[]> {
  const begun: Promise<unknown>[] = [];
  for (let first = 0; first < events.length; first += eventsAtOnce)
    begun.push(
      tx
        .insert(eventsTable)
        .values(events.slice(first, first + eventsAtOnce))
        .execute(),
    );
  for (const begin of lasts) begun.push(begin());
  return Promise.all([appendMessages(tx, now, messages), ...begun]).then(([stored]) => stored);
}
