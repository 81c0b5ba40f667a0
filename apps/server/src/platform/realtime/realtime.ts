import type { Server } from 'node:http';
import {
  type Channel,
  type ChannelServer,
  createChannelServer,
  createPresence,
  type Handshake,
  type Presence,
} from '@atoll/channels';
import { apiPrefix, type TopicContract, topicParams, topics } from '@atoll/contract';
import type { FastifyInstance } from 'fastify';
import type { Authentication } from '../actor.ts';
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';
import { checkPermission } from '../http/guard.ts';
import { InTurn } from '../in-turn.ts';
import type { Log } from '../log.ts';
import type { Json, MessageBus } from '../messages/bus.ts';
import { turnstile } from '../turnstile.ts';
import type { ChannelImplementation, Identity } from './channel.ts';
import { channelHandler, connectionContext, joinOf } from './handler.ts';
import { accessTopic, eventsAfter, positionsOf, type StoredMessage, sweepStreams } from './stream.ts';

interface RealtimeDependencies {
  services: Services;
  log: Log;
  bus: MessageBus;
  channels: ChannelImplementation[];
  authenticate(token: string): Promise<Authentication>;
  isOriginAllowed(origin: string | null, host: string | undefined): boolean;
}

export interface Realtime {
  server: ChannelServer<Identity>;
  /** Runs after a commit: sends to the clients here, and to the other servers. */
  committed(messages: StoredMessage[]): void;
  attach(http: FastifyInstance, server: Server): void;
  start(): Promise<void>;
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

const subject = 'topics';
/**
 * Events that were committed but not published (the server died, a message was lost) are found after this time at the
 * latest.
 */
const catchUpMs = 2_000;
const expiryMs = 1_000;
/** For longer messages only a reference is sent; NATS takes 1 MB. */
const maxMessageBytes = 256 * 1024;
/** Limits concurrent joins: thousands of returning clients must leave the database free for others. */
const entering = 3;
/** A code for private use, by RFC 6455. */
const sessionEnded = 4001;

export function createRealtime(dependencies: RealtimeDependencies): Realtime {
  const { services, log, bus } = dependencies;
  assertComplete(services.policy, dependencies.channels);
  const { db } = services;
  /** The last position published here, for each topic that a client here has joined. */
  const delivered = new Map<string, number>([[accessTopic, 0]]);
  /** Topics that are being read from the database, and whether an event came meanwhile. */
  const catchingUp = new Map<string, { isOutdated: boolean }>();
  const stopping: (() => void)[] = [];
  const enter = turnstile(entering);
  /** Serialises rights checks so that the newest result is sent last. */
  const rightsInTurn = new InTurn();

  const server: ChannelServer<Identity> = createChannelServer<Identity>({
    path: `${apiPrefix}/socket`,
    isOriginAllowed: (origin, request) => dependencies.isOriginAllowed(origin, request.headers.host),
    authenticate: (handshake) => enter(() => identify(dependencies, handshake)),
    route: (topic) => handlers.find(([{ topic: contract }]) => topicParams(contract, topic))?.[1] ?? null,
    onError: (error, where) => log.error({ error, ...where }, 'A channel failed'),
    // A notebook's pictures and pasted outputs go through here.
    limits: { maxFrameBytes: 8 * 1024 ** 2, maxQueuedBytes: 16 * 1024 ** 2 },
  });
  const presence: Presence<Identity> = createPresence({
    server,
    bus,
    onError: (error) => log.error({ error }, 'Presence failed'),
  });
  const handlers = dependencies.channels.map(
    (implementation) =>
      [
        implementation,
        channelHandler(
          { services, log, streams: { follow }, presence, broadcast: server.broadcast, enter, rightsInTurn },
          implementation,
        ),
      ] as const,
  );

  async function follow(topic: string, lastSeen: number | undefined) {
    const position = (await positionsOf(db, [topic])).get(topic) ?? 0;
    if (!delivered.has(topic)) delivered.set(topic, position);
    if (lastSeen === undefined) return { position, missed: [], is_reset: false };
    const missed = await eventsAfter(db, topic, lastSeen);
    if (!missed) return { position, missed: [], is_reset: true };
    return {
      position: missed.at(-1)?.position ?? position,
      missed: missed.map(({ position, event, payload }) => ({ position, event, payload })),
      is_reset: false,
    };
  }

  /** Delivers in order and each once; a gap is filled from the database. */
  function deliver(message: StoredMessage): void {
    const last = delivered.get(message.topic);
    if (last === undefined || message.position <= last) return;
    if (message.position > last + 1) {
      void catchUp(message.topic);
      return;
    }
    delivered.set(message.topic, message.position);
    send(message);
  }

  function send({ topic, event, payload, position }: StoredMessage): void {
    if (topic === accessTopic) void recheck(payload);
    else server.broadcast(topic, event, { ...payload, position }, { position });
  }

  async function catchUp(topic: string): Promise<void> {
    const running = catchingUp.get(topic);
    if (running) {
      running.isOutdated = true;
      return;
    }
    const run = { isOutdated: true };
    catchingUp.set(topic, run);
    try {
      while (run.isOutdated) {
        run.isOutdated = false;
        await fill(topic);
      }
    } catch (error) {
      log.error({ error, topic }, 'Events could not be read; trying again shortly');
    } finally {
      catchingUp.delete(topic);
    }
  }

  async function fill(topic: string): Promise<void> {
    const last = delivered.get(topic);
    if (last === undefined) return;
    const missed = await eventsAfter(db, topic, last);
    if (missed) {
      for (const message of missed) deliver(message);
      return;
    }
    delivered.set(topic, (await positionsOf(db, [topic])).get(topic) ?? 0);
    if (topic === accessTopic) server.closeWhere(() => true, 1012, 'restart');
    // The clients join again, and that answer makes them load everything.
    for (const channel of server.channels(topic)) channel.crash();
  }

  async function findMissed(): Promise<void> {
    const joined = new Set(server.topics()).add(accessTopic);
    for (const topic of delivered.keys()) if (!joined.has(topic)) delivered.delete(topic);
    const topics = [...delivered.keys()];
    for (let first = 0; first < topics.length; first += 1_000) {
      const part = topics.slice(first, first + 1_000);
      const positions = await positionsOf(db, part);
      for (const [topic, position] of positions) if (position > (delivered.get(topic) ?? position)) void catchUp(topic);
    }
  }

  /** Checks connections of a session, or channels of a project or of some people, and ends those that lost their right. */
  async function recheck({ session_id, project_id, user_ids }: Record<string, unknown>): Promise<void> {
    if (session_id) server.closeWhere(({ actor }) => actor.sessionId === session_id, sessionEnded, 'session ended');
    if (project_id) await recheckChannels(({ topic }) => topic.includes(String(project_id)));
    if (Array.isArray(user_ids)) {
      const people = new Set(user_ids);
      await recheckChannels(({ connection }) => people.has(connection.identity.actor.userId));
    }
  }

  async function recheckChannels(isMeant: (channel: Channel<Identity>) => boolean): Promise<void> {
    const channels = [...server.topics()].flatMap((topic) => [...server.channels(topic)]);
    for (const channel of channels.filter(isMeant)) {
      const isBusy = rightsInTurn.isBusy(channel);
      const checked = rightsInTurn.run(channel, () => recheckChannel(channel));
      // A join that takes long must not delay the others.
      if (!isBusy) await checked;
    }
  }

  async function recheckChannel(channel: Channel<Identity>): Promise<void> {
    const rights = channel.isOpen ? await rightsNow(channel) : 'same';
    if (rights === 'same') return;
    if (rights !== 'none') {
      channel.push('rights_changed', rights);
      return;
    }
    channel.push('access_lost', { reason: 'no_permissions', message: 'You may no longer see this.' });
    channel.close();
  }

  async function rightsNow(channel: Channel<Identity>): Promise<'none' | 'same' | Record<string, Json>> {
    const found = handlers.find(([{ topic }]) => topicParams(topic, channel.topic));
    if (!found) return 'none';
    const [{ topic, authorize, recheck }] = found;
    const params = topicParams(topic, channel.topic) ?? {};
    const ctx = connectionContext({ services, log }, channel.connection.identity);
    try {
      checkPermission(ctx, topic.permission);
      await authorize(ctx, params, joinOf(channel));
      return (
        ((await recheck?.(ctx, {
          ...{ params, channel, presence },
          broadcast: (event, payload) => server.broadcast(channel.topic, event, payload),
        })) as Record<string, Json> | null | undefined) ?? 'same'
      );
    } catch (error) {
      if (error instanceof AppError) return 'none';
      // The database does not answer, which takes no right away.
      log.error({ error, topic: channel.topic }, 'A right could not be checked');
      return 'same';
    }
  }

  /** A lost message does not undo the commit; the other servers find the event by themselves. */
  function publish(data: Json): void {
    try {
      bus.publish(subject, data);
    } catch (error) {
      log.error({ error }, 'The other servers could not be told');
    }
  }

  function every(ms: number, work: () => unknown): void {
    const timer = setInterval(work, ms);
    stopping.push(() => clearInterval(timer));
  }

  return {
    server,
    committed(messages) {
      for (const message of messages) {
        // Clients of this server come first, because they wait for it.
        deliver(message);
        const data = { ...message, from: server.id };
        const isLong = JSON.stringify(message.payload).length > maxMessageBytes;
        publish((isLong ? { topic: message.topic, from: server.id } : data) as Json);
      }
    },
    attach(http, httpServer) {
      server.attach(httpServer);
      // Before the body is read: polling has a parser of its own.
      http.addHook('onRequest', (request, reply, done) => {
        if (server.handleLongPoll(request.raw, reply.raw)) reply.hijack();
        else done();
      });
    },
    async start() {
      delivered.set(accessTopic, (await positionsOf(db, [accessTopic])).get(accessTopic) ?? 0);
      stopping.push(
        await bus.subscribe(subject, (data) => {
          const message = data as unknown as StoredMessage & { from: string };
          if (message.from === server.id) return;
          if (message.position === undefined) void catchUp(message.topic);
          else deliver(message);
        }),
      );
      every(catchUpMs, () =>
        findMissed().catch((error: unknown) => log.error({ error }, 'Topics could not be read; trying again shortly')),
      );
      every(expiryMs, () => {
        const now = services.now();
        server.closeWhere(
          ({ actor }) => actor.sessionExpiresAt !== null && actor.sessionExpiresAt <= now,
          sessionEnded,
          'session expired',
        );
      });
    },
    sweep: () => sweepStreams(db, services.now()),
    async stop() {
      for (const stop of stopping) stop();
      await server.drain();
      server.close();
      await presence.close();
      await bus.close();
    },
  };
}

async function identify({ authenticate }: RealtimeDependencies, handshake: Handshake): Promise<Identity | null> {
  if (!handshake.token) return null;
  const { actor } = await authenticate(handshake.token);
  return actor.userId ? { actor, ip: handshake.ip, userAgent: handshake.userAgent.slice(0, 300) } : null;
}

/** As for endpoints: every topic and command has a rule, and every declared one exists. */
function assertComplete(policy: Services['policy'], channels: ChannelImplementation[]): void {
  const problems = Object.values<TopicContract>(topics).flatMap((topic) => {
    const implementation = channels.find((channel) => channel.topic === topic);
    if (!implementation) return [`${topic.pattern} is declared and not bound`];
    const commands = Object.entries(topic.commands);
    return [
      ...(policy[topic.permission] ? [] : [`${topic.pattern} has no rule for its permission`]),
      ...commands
        .filter(([name, { permission }]) => !policy[permission] || !implementation.commands[name])
        .map(([name]) => `${topic.pattern} ${name} has no rule or is not bound`),
    ];
  });
  if (problems.length > 0) throw new Error(`The contract is not fully bound:\n${problems.join('\n')}`);
}
