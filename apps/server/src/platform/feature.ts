import type { EventName, EventPayload, RawEndpoint } from '@atoll/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Write } from './context.ts';
import type { Transaction } from './db/database.ts';
import type { DocumentTools } from './document-tools.ts';
import type { Entities } from './entities.ts';
import type { EventHandlers } from './events/relay.ts';
import type { PageRoute } from './http/pages.ts';
import type { AnyJob, JobSchedule } from './jobs/definition.ts';
import type { Policy } from './policy/policy.ts';
import type { PublicationKind } from './publication-kind.ts';
import type { AddedCommands, ChannelImplementation } from './realtime/channel.ts';
import type { TopicMessage } from './realtime/stream.ts';

export interface RawRoute {
  endpoint: RawEndpoint;
  handle(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** Messages to the topics of an event, built in the event's own transaction: both are stored, or neither. */
export type Broadcasts = {
  [Name in EventName]?: (tx: Transaction, payload: EventPayload<Name>) => Promise<TopicMessage[]>;
};

export interface StopOptions {
  /** Kernels and their executions keep running; this server resumes them when it starts again. */
  keepsKernels: boolean;
}

/** Awaited, in boot order, before the server ends. */
export type Stop = (options: StopOptions) => unknown;

/** One capability of the product. A feature leaves out the parts it does not need. */
export interface Feature<Routes extends object = object> {
  name: string;
  policy: Policy;
  /** By group of the contract, which two features may share. */
  routes?: Routes;
  events?: EventHandlers;
  broadcasts?: Broadcasts;
  /** Notification handlers, retried separately from the feature's other handlers. */
  notifications?: EventHandlers;
  /** The names of the entities that its notifications are about. */
  entities?: Entities;
  /** How its documents are published. */
  publicationKinds?: readonly PublicationKind<Context>[];
  /** Background work. */
  jobs?: AnyJob[];
  /** Regular background work, by name. */
  schedules?: Record<string, JobSchedule>;
  channels?: ChannelImplementation[];
  /** Commands on topics of other features. */
  addedCommands?: AddedCommands[];
  /** The assistant's tools for its documents. */
  documentTools?: readonly DocumentTools<Context, Write>[];
  rawRoutes?: RawRoute[];
  /** Pages that are read without the web app's scripts. */
  pages?: PageRoute[];
  /** Work before the server listens: seeds, checks. May return a function that stops it. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most features begin nothing
  start?(ctx: Context): Promise<Stop | void>;
  /** Regular tidying: every hour and soon after the start, by one server. */
  sweep?(ctx: Context): Promise<void>;
}

export const defineFeature = <Routes extends object = object>(feature: Feature<Routes>): Feature<Routes> => feature;

type RoutesOf<Each> = Each extends Feature<infer Routes> ? Routes : never;
type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;

/** All features' routes as one router. */
export function joinRoutes<const Features extends readonly Feature[]>(
  features: Features,
): Joined<RoutesOf<Features[number]>> {
  const joined: Record<string, object> = {};
  for (const { routes } of features)
    for (const [group, own] of Object.entries(routes ?? {})) joined[group] = { ...joined[group], ...own };
  return joined as Joined<RoutesOf<Features[number]>>;
}

/** All features' broadcasts as one. */
export const joinBroadcasts =
  (features: readonly Feature[]) =>
  async (tx: Transaction, name: EventName, payload: unknown): Promise<TopicMessage[]> => {
    const messages: TopicMessage[] = [];
    for (const { broadcasts } of features) {
      const broadcast = broadcasts?.[name] as
        | ((tx: Transaction, payload: unknown) => Promise<TopicMessage[]>)
        | undefined;
      if (broadcast) messages.push(...(await broadcast(tx, payload)));
    }
    return messages;
  };
