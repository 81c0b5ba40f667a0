import { type ChannelHandler, type Json, Refusal } from '@atoll/channels';
import { type CommandContract, type FeatureName, joinBase, type Permission, topicParams } from '@atoll/contract';
import { z } from 'zod';
import { type Context, createContext, type Services, withoutHttp } from '../context.ts';
import { AppError, storageFailure } from '../errors.ts';
import { checkFlag } from '../flags/check-flag.ts';
import { checkMask, checkPermission } from '../http/guard.ts';
import type { InTurn } from '../in-turn.ts';
import type { Log } from '../log.ts';
import { applyOnce, clientRequest } from './apply-once.ts';
import type { ChannelCall, ChannelImplementation, Identity } from './channel.ts';

interface Streams {
  /** Delivers the topic's events here from now on; returns the events that the join has to receive before. */
  follow(
    topic: string,
    lastSeen: number | undefined,
  ): Promise<{ position: number; missed: object[]; is_reset: boolean }>;
}

interface HandlerDependencies {
  services: Services;
  log: Log;
  streams: Streams;
  presence: ChannelCall['presence'];
  broadcast(topic: string, event: string, payload: object): void;
  /** Limits joins to a few at a time. */
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
  rightsInTurn: InTurn;
}

export const connectionContext = (
  { services, log }: Pick<HandlerDependencies, 'services' | 'log'>,
  identity: Identity,
): Context =>
  createContext(services, {
    actor: identity.actor,
    ...withoutHttp,
    credentials: { ...withoutHttp.credentials, ip: identity.ip, userAgent: identity.userAgent },
    requestId: crypto.randomUUID(),
    log,
  });

/**
 * Adapts a feature's channel to the protocol: validates input, checks permission, applies commands at most once, words
 * errors.
 */
export function channelHandler(
  dependencies: HandlerDependencies,
  implementation: ChannelImplementation,
): ChannelHandler<Identity> {
  const { topic } = implementation;
  const joinInput = topic.join.extend(joinBase.shape);
  const hasEvents = Object.keys(topic.events).length > 0 && !topic.isPassing;
  const callOf = (channel: ChannelCall['channel']): ChannelCall => ({
    channel,
    presence: dependencies.presence,
    broadcast: (event, payload) => dependencies.broadcast(channel.topic, event, payload),
    params: topicParams(topic, channel.topic) ?? {},
  });

  async function run(
    {
      permission,
      flag,
      limit,
      isWriting = false,
    }: {
      permission: Permission;
      flag?: FeatureName | null;
      limit?: 'read' | 'command' | 'ask';
      isWriting?: boolean;
    },
    identity: Identity,
    work: (ctx: Context) => Promise<object>,
  ) {
    const ctx = connectionContext(dependencies, identity);
    try {
      if (limit) await ctx.limits.take(limit, ctx.actor.userId ?? identity.ip);
      checkMask(ctx, { permission, isWriting });
      checkPermission(ctx, permission);
      checkFlag(ctx, flag);
      const result = await work(ctx);
      ctx.assertRowChecked();
      return result;
    } catch (error) {
      if (error instanceof AppError) throw refusal(error);
      const failure = storageFailure(error);
      if (failure) ctx.log.error({ error }, 'The storage failed');
      throw failure ? refusal(failure) : error;
    }
  }

  return {
    async join(channel, payload) {
      const input = read(joinInput, payload);
      const call = callOf(channel);
      let position: number | undefined;
      const answer = async (ctx: Context) => {
        const { last_seen, ...own } = input;
        channel.state.join = own;
        await implementation.authorize(ctx, call.params, own);
        if (implementation.isStill?.(own)) {
          position = Number.POSITIVE_INFINITY;
          return { ...(await implementation.joined?.(ctx, call, own)), ...nothingMissed };
        }
        const stream = hasEvents
          ? await dependencies.streams.follow(channel.topic, last_seen as number | undefined)
          : nothingMissed;
        position = stream.position;
        // Read after the position: changes in between are in both, and sending them twice changes nothing.
        return { ...(await implementation.joined?.(ctx, call, own)), ...stream };
      };
      const rules = { permission: topic.permission, flag: topic.flag, limit: 'read' as const };
      const response = await dependencies.rightsInTurn.run(channel, () =>
        dependencies.enter(() => run(rules, channel.connection.identity, answer)),
      );
      return { response, position };
    },

    async command(channel, event, payload) {
      const command: CommandContract | undefined = Object.hasOwn(topic.commands, event)
        ? topic.commands[event]
        : undefined;
      const handle = implementation.commands[event];
      if (!command || !handle) throw new Refusal({ reason: 'unknown_command', message: 'There is no such command.' });
      const { request_id, ...fields } = read(command.isWriting ? written : anyObject, payload);
      const input = read(command.input, fields as Json);
      const call = callOf(channel);
      const limit = command.isWriting ? ('command' as const) : ('ask' as const);
      const { permission, flag, isWriting } = command;
      const rules = { permission, flag, limit, isWriting };
      const response = await run(rules, channel.connection.identity, async (ctx) => {
        implementation.assertCommand?.(event, joinOf(channel));
        const work = (inner: Context, own = call) => handle(inner, input, own) as Promise<Record<string, unknown>>;
        if (!command.isWriting) return work(ctx);
        // Its work takes longer than a transaction may.
        if (command.isAside) return work(ctx, { ...call, requestId: String(request_id) });
        const { pendingRowCheck } = ctx;
        await implementation.before?.[event]?.(ctx, input, call).catch(() => {});
        // The transaction repeats the row check that was made before it.
        ctx.pendingRowCheck = pendingRowCheck;
        return applyOnce(ctx, clientRequest(String(request_id), [channel.topic, event, input]), work);
      });
      return { status: 'ok', response };
    },

    isAside: (event) => Object.hasOwn(topic.commands, event) && topic.commands[event]?.isAside === true,

    async left(channel, why) {
      await implementation.left?.(connectionContext(dependencies, channel.connection.identity), callOf(channel), why);
    },
  };
}

/** The input that a channel joined with. */
export const joinOf = ({ state }: ChannelCall['channel']): Record<string, unknown> =>
  state.join as Record<string, unknown>;

const nothingMissed = { position: 0, missed: [], is_reset: false };
const anyObject = z.record(z.string(), z.unknown());
const written = z.looseObject({ request_id: z.uuid() });

function read<Schema extends z.ZodType>(schema: Schema, payload: Json | Uint8Array): z.output<Schema> {
  const { data, error } = schema.safeParse(payload);
  if (!error) return data as z.output<Schema>;
  const fields = z.flattenError(error).fieldErrors;
  throw new Refusal({ reason: 'invalid', message: error.issues[0]?.message ?? 'Not understood.', fields });
}

/** `reason` is one word, `message` is a sentence. */
function refusal(error: AppError): Refusal {
  const { details = {}, fields = {} } = error.extras;
  const reason = typeof details.reason === 'string' ? details.reason : error.code;
  return new Refusal({ message: error.message, fields, details, reason });
}
