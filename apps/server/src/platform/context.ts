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

/** The services that the platform gives to every request, event and job. */
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
  /** Features keep their values in memory here, once for each app; see `appState`. */
  state: { get<Value>(create: (system: Context) => Value): Value };
  /** Shows the person at the terminal a text they need, such as the first sign-in link. */
  announce: (what: 'admin_link', text: string) => void;
  /** Runs after a commit: wakes the relay and publishes the new messages to their topics. */
  committed: (written: { hasEvents: boolean; hasJobs: boolean; messages: StoredMessage[] }) => void;
  /** Collects the messages that the features publish about an event. */
  broadcasts: (db: Transaction, name: EventName, payload: unknown) => Promise<TopicMessage[]>;
  /** Resolves the names of the entities that notifications are about. */
  entities: Entities;
  /** How each kind of document is published. */
  publicationKinds: readonly PublicationKind<Context>[];
  /** The assistant's tools for each kind of document. */
  documentTools: readonly DocumentTools<Context, Write>[];
}

export interface Write {
  tx: Transaction;
  /** Emits in the name of the call that writes, or of another call that is part of it. */
  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>, by?: Request): Promise<void>;
  /** Queues background work that this write makes necessary; returns the job's id. */
  enqueue<Payload>(job: JobKind<Payload>, payload: Payload, options?: EnqueueOptions): Promise<string>;
  /** Adds a last statement, begun when all other work is done. It travels with the commit, which depends on it. */
  last(begin: () => Promise<unknown>): void;
  /** Publishes to a realtime topic with the commit; for messages that are no event of the product. */
  publish(message: TopicMessage): void;
  /** Runs in this process once everything is stored; a nudge that is lost if the process ends. */
  after(work: () => void): void;
}

/** Headers and cookies that go with the body. Only a request has them, an event handler does not. */
export interface Response {
  openSession(token: string, expiresAt: Date): void;
  closeSession(): void;
  rememberDevice(device: string): void;
  retryAfter(seconds: number): void;
}

/** Everything about a call except the services. */
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
 * The context of a request, event or job. The compiler rejects a copy (`{ ...ctx, actor }`), because it would be checked
 * for the rights of the original. Use `as` and `within` to get another context.
 */
export interface Context extends Readonly<Services>, Request, ContextMethods {}

export function createContext(services: Services, from: Request): Context {
  // `from` may be another context, whose services must not be copied.
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
  /** The transaction that all of the call's writes are part of. */
  joined?: Write;
  progress?: Progress;
}

/** The state of one call, shared by all of its contexts. */
interface Progress {
  pendingRowCheck: Permission | null;
  mayWriteMasked: boolean;
}

const contextOf = (parts: Parts): Context => Object.assign(new ContextMethods(parts), parts.services, parts.request);

/** Its private fields are missing in a copy, so the compiler rejects one. */
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

  /** The caller's id; throws 401 for anonymous callers. */
  get userId(): string {
    const { userId } = this.#request.actor;
    if (!userId) throw unauthorized();
    return userId;
  }

  /** The guard sets it; until the check is done, nothing commits and no answer is sent. */
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

  /** The guard calls it for calls about the mask itself. */
  permitMaskedWrites(): void {
    this.#progress.mayWriteMasked = true;
  }

  assertUnmasked(): void {
    if (this.isMasked && !this.#progress.mayWriteMasked)
      throw denied('no_permissions', 'While you act as another person, you can read their pages but change nothing.');
  }

  /**
   * A context in the name of another person, with their rights only: it carries no credentials of the caller. The request
   * and the admin behind it stay on record.
   */
  as({ impersonatorId, ...person }: Person): Context {
    const behind = impersonatorId ?? this.#request.actor.impersonatorId;
    const actor = { ...anonymous, ...person, impersonatorId: behind };
    const { requestId, log } = this.#request;
    const parts = { services: this.#services, request: { ...withoutHttp, requestId, log, actor } };
    return contextOf(this.#joined ? { ...parts, joined: this.#joined } : parts);
  }

  /** The same call within a transaction: everything it reads and writes is part of that transaction. */
  within(write: Write): Context {
    const services = { ...this.#services, db: write.tx };
    return contextOf({ services, request: this.#request, joined: write, progress: this.#progress });
  }

  /** The permissions that the caller has for the row; they travel with the entity as `permissions`. */
  permitted(permissions: Permission[], row: unknown): Permission[] {
    return permissions.filter((permission) => this.#allows(permission, row));
  }

  /**
   * Refuses unless the rule of the permission allows this row. Strangers get "not found", so they do not learn that it
   * exists.
   */
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
      // The commit only knows that an earlier statement failed; this error has the reason.
      await ending;
      throw error;
    });
    services.committed({ hasEvents, hasJobs, messages: await ending });
    for (const nudge of afters) nudge();
    return result;
  }
}

type NewEvent = EventRow & { name: EventName };
/** Prepared for a single row, because most writes emit one event. */
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
 * Begins all statements without waiting, so that they reach the database together with the commit. A statement that cannot
 * even begin throws at once, so that nothing is committed.
 */
function end(tx: Transaction, now: Date, { events, messages, lasts }: Ending): Promise<StoredMessage[]> {
  const begun: Promise<unknown>[] = [];
  const [only] = events;
  if (only && events.length === 1) begun.push(tx.execute(insertEvent(only)).execute());
  else if (only) begun.push(tx.execute(insertEvents(events)).execute());
  for (const begin of lasts) begun.push(begin());
  return Promise.all([appendMessages(tx, now, messages), ...begun]).then(([stored]) => stored);
}
