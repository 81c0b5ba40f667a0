import type { EventName, EventPayload, Permission } from '@atoll/contract';
import type { BlobStore } from '@atoll/storage';
import type { Config } from '../config.ts';
import { type Actor, anonymous, type CredentialProblem, type Credentials, type Person } from './actor.ts';
import { newId } from './db/columns.ts';
import type { Database, Transaction } from './db/database.ts';
import { preparedInsert, preparedInsertMany } from './db/prepared-statement.ts';
import type { DocumentTools } from './document-tools.ts';
import type { Entities } from './entities.ts';
import { denied, notFound, unauthorized } from './errors.ts';
import { type EventRow, eventsTable } from './events/table.ts';
import type { Limits } from './http/limits.ts';
import { type EnqueueOptions, enqueue, type JobKind } from './jobs/enqueue.ts';
import type { Kernels } from './kernels/kernels.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Peers } from './messages/peers.ts';
import type { Policy } from './policy/policy.ts';
import type { PublicationKind } from './publication-kind.ts';
import { appendMessages, type StoredMessage, type TopicMessage } from './realtime/stream.ts';
import type { Renderer } from './renderer/renderer.ts';
import type { Tables } from './tables/tables.ts';

/** What the platform gives to every request, event and job. */
export interface Services {
  config: Config;
  db: Database;
  mail: Mailer;
  blobs: BlobStore;
  tables: Tables;
  renderer: Renderer;
  kernels: Kernels;
  /** The other servers on this database. */
  peers: Peers;
  policy: Policy;
  now: () => Date;
  limits: Limits;
  /** What the features keep in memory, once for each app; see `appState`. */
  state: { get<Value>(create: (system: Context) => Value): Value };
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
  /** What the assistant can do with each kind of document. */
  documentTools: readonly DocumentTools<Context, Write>[];
}

export interface Write {
  tx: Transaction;
  /** In the name of the call whose write it is, or of another that is part of it. */
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>, by?: Request): Promise<void>;
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

/** What there is to know of a call, beside the services. */
export interface Request {
  readonly actor: Actor;
  readonly credentials: Credentials;
  readonly credentialProblem: CredentialProblem | null;
  readonly suspensionMessage?: string;
  readonly requestId: string;
  readonly log: Log;
  readonly response: Response;
}

/**
 * What a request, event or job is handed. A copy of one (`{ ...ctx, actor }`) is none to the compiler: it would be checked
 * for the rights of the one it was copied from. `as` and `within` are the ways to another one.
 */
export interface Context extends Readonly<Services>, Request, ContextMethods {}

export function createContext(services: Services, from: Request): Context {
  // It may be another context, whose services must not come along.
  const { actor, credentials, credentialProblem, suspensionMessage, requestId, log, response } = from;
  const request = { actor, credentials, credentialProblem, suspensionMessage, requestId, log, response };
  return contextOf({ services, request });
}

const noCredentials: Credentials = {
  token: null,
  tokenSource: 'bearer',
  apiKey: null,
  device: null,
  ip: '',
  userAgent: '',
};
const noResponse: Response = { openSession() {}, closeSession() {}, rememberDevice() {}, retryAfter() {} };

/** A call that did not come over HTTP. */
export const withoutHttp = { credentials: noCredentials, credentialProblem: null, response: noResponse };

interface Parts {
  services: Services;
  request: Request;
  /** The transaction that all of its writes are part of. */
  joined?: Write;
  progress?: Progress;
}

/** Of the call, whichever of its contexts is used. */
interface Progress {
  pendingRowCheck: Permission | null;
  mayWriteMasked: boolean;
}

const contextOf = (parts: Parts): Context => Object.assign(new ContextMethods(parts), parts.services, parts.request);

/** Its private fields are what no copy has. */
class ContextMethods {
  readonly #services: Services;
  readonly #request: Request;
  readonly #joined: Write | undefined;
  readonly #progress: Progress;

  constructor({ services, request, joined, progress = { pendingRowCheck: null, mayWriteMasked: false } }: Parts) {
    this.#services = services;
    this.#request = request;
    this.#joined = joined;
    this.#progress = progress;
  }

  /** Of the caller, where only those who are signed in get. */
  get userId(): string {
    const { userId } = this.#request.actor;
    if (!userId) throw unauthorized();
    return userId;
  }

  /** Set by the guard: without it nothing commits or is answered. */
  get pendingRowCheck(): Permission | null {
    return this.#progress.pendingRowCheck;
  }

  set pendingRowCheck(permission: Permission | null) {
    this.#progress.pendingRowCheck = permission;
  }

  assertRowChecked(): void {
    if (this.pendingRowCheck) throw new Error(`The row check for ${this.pendingRowCheck} was never made`);
  }

  get isMasked(): boolean {
    return this.#request.actor.impersonatorId !== null;
  }

  /** Set by the guard for calls about the mask itself. */
  permitMaskedWrites(): void {
    this.#progress.mayWriteMasked = true;
  }

  assertUnmasked(): void {
    if (this.isMasked && !this.#progress.mayWriteMasked)
      throw denied('no_permissions', 'While you act as another person, you can read their pages but change nothing.');
  }

  /**
   * In the name of another person, with their rights and no others: nothing of the caller's credentials goes with it. The
   * request and the admin behind it stay on record.
   */
  as({ impersonatorId, ...person }: Person): Context {
    const behind = impersonatorId ?? this.#request.actor.impersonatorId;
    const actor = { ...anonymous, ...person, impersonatorId: behind };
    const { requestId, log } = this.#request;
    const parts = { services: this.#services, request: { ...withoutHttp, requestId, log, actor } };
    return contextOf(this.#joined ? { ...parts, joined: this.#joined } : parts);
  }

  /** The same call within a transaction: whatever it reads and writes belongs to that. */
  within(write: Write): Context {
    const services = { ...this.#services, db: write.tx };
    return contextOf({ services, request: this.#request, joined: write, progress: this.#progress });
  }

  /** Which of these the caller may do with the row; travels with the entity as `permissions`. */
  permitted(permissions: Permission[], row: unknown): Permission[] {
    return permissions.filter((permission) => this.#allows(permission, row));
  }

  /** Refuses unless the rule of the permission allows this row; strangers learn nothing, not even that it exists. */
  authorize(permission: Permission, row: unknown): void {
    const { actor } = this.#request;
    const verdict = this.#services.policy[permission]?.actor(actor);
    if (verdict !== true) throw actor.userId ? denied(verdict ?? 'no_permissions') : unauthorized();
    if (!this.#allows(permission, row)) throw notFound();
    if (this.pendingRowCheck === permission) this.pendingRowCheck = null;
  }

  #allows(permission: Permission, row: unknown): boolean {
    const rule = this.#services.policy[permission];
    const { actor } = this.#request;
    return rule !== undefined && rule.actor(actor) === true && (rule.row?.(actor, row) ?? true);
  }

  /** One transaction: the change and its events are stored together or not at all. */
  async write<Result>(work: (write: Write) => Promise<Result>): Promise<Result> {
    this.assertUnmasked();
    if (this.#joined) return work(this.#joined);
    const services = this.#services;
    let ending: Promise<StoredMessage[]> = Promise.resolve([]);
    const afters: (() => void)[] = [];
    let hasJobs = false;
    const transaction = services.db.transaction(async (tx) => {
      const events: NewEvent[] = [];
      const messages: TopicMessage[] = [];
      const lasts: (() => Promise<unknown>)[] = [];
      const result = await work({
        tx,
        emit: async (name, payload, by = this.#request) =>
          void events.push(newEvent(services.now(), by, name, payload)),
        enqueue: (job, payload, options) => {
          hasJobs = true;
          return enqueue(tx, services.now(), job, payload, options);
        },
        publish: (message) => messages.push(message),
        last: (begin) => lasts.push(begin),
        after: (nudge) => afters.push(nudge),
      });
      this.assertRowChecked();
      for (const { name, payload } of events) messages.push(...(await services.broadcasts(tx, name, payload)));
      ending = end(tx, services.now(), { events, messages, lasts });
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
  }
}

type NewEvent = EventRow & { name: EventName };
/** Most writes tell of one thing. */
const insertEvent = preparedInsert(eventsTable);
const insertEvents = preparedInsertMany(eventsTable);

function newEvent(now: Date, { actor, requestId }: Request, name: EventName, payload: unknown): NewEvent {
  return {
    id: newId(),
    name,
    payload,
    actorId: actor.userId,
    impersonatorId: actor.impersonatorId,
    requestId,
    createdAt: now,
    dueAt: now,
    deliveredAt: null,
    attempts: 0,
    lastError: null,
    handledBy: [],
  };
}

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
  const [only] = events;
  if (only && events.length === 1) begun.push(tx.execute(insertEvent(only)).execute());
  else if (only) begun.push(tx.execute(insertEvents(events)).execute());
  for (const begin of lasts) begun.push(begin());
  return Promise.all([appendMessages(tx, now, messages), ...begun]).then(([stored]) => stored);
}
