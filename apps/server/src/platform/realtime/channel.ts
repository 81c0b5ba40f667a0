import type { Channel, Presence } from '@atoll/channels';
import type { CommandContract, TopicContract, TopicParams } from '@atoll/contract';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';

/** The identity behind a connection. */
export interface Identity {
  actor: Actor;
  ip: string;
  userAgent: string;
}

/** One join, command or leave. */
export interface ChannelCall<Topic extends TopicContract = TopicContract> {
  params: TopicParams<Topic>;
  channel: Channel<Identity>;
  presence: Presence<Identity>;
  /** Sends to all who are on this topic on this server; for events that are not stored. */
  broadcast(event: string, payload: object): void;
  /** The request id of a command that writes outside of the transaction and applies itself once. */
  requestId?: string;
}

type Commands<Topic extends TopicContract> = {
  [Name in keyof Topic['commands']]: Topic['commands'][Name] extends CommandContract<infer Input, infer Output>
    ? (ctx: Context, input: z.output<Input>, call: ChannelCall<Topic>) => Promise<z.input<Output>>
    : never;
};

/** A feature's implementation of a topic of the contract. */
export interface ChannelImplementation<Topic extends TopicContract = TopicContract> {
  topic: Topic;
  /** Refuses callers without the right; repeated with the join's input whenever rights may have been lost. */
  authorize(ctx: Context, params: TopicParams<Topic>, join: z.output<Topic['join']>): Promise<void>;
  /** Whether a join with this input gets no events, because it shows content that does not change. */
  isStill?(join: z.output<Topic['join']>): boolean;
  /** Refuses commands that are not for this join. */
  assertCommand?(event: string, join: z.output<Topic['join']>): void;
  /** The answer to a join, beside the missed events. */
  joined?(ctx: Context, call: ChannelCall<Topic>, input: z.output<Topic['join']>): Promise<z.input<Topic['joined']>>;
  commands: Commands<Topic>;
  /**
   * Slow work before a command that writes, so that it is not part of its transaction. It is repeated when the command is
   * sent again. Its errors are ignored here, because the command fails with the same error and reports it.
   */
  before?: {
    [Name in keyof Topic['commands']]?: (
      ctx: Context,
      input: z.output<Topic['commands'][Name]['input']>,
      call: ChannelCall<Topic>,
    ) => Promise<unknown>;
  };
  /**
   * Runs when rights have changed and the client may stay: returns the changed part of the join's answer, to send to the
   * client.
   */
  recheck?(ctx: Context, call: ChannelCall<Topic>): Promise<Partial<z.input<Topic['joined']>> | null>;
  left?(ctx: Context, call: ChannelCall<Topic>, why: string): Promise<void>;
}

/** Checks the implementation against its topic; the list of all channels loses these types. */
export const channel = <Topic extends TopicContract>(
  implementation: ChannelImplementation<Topic>,
): ChannelImplementation => implementation as unknown as ChannelImplementation;

/** Commands that a feature adds to the topic of another one. */
export interface AddedCommands {
  topic: TopicContract;
  commands: Record<string, unknown>;
}

export const addedCommands = <Topic extends TopicContract, Names extends keyof Topic['commands']>(
  topic: Topic,
  commands: Pick<Commands<Topic>, Names>,
): AddedCommands => ({ topic, commands });

/** Each topic's channel, with the commands that other features add to it. */
export const joinChannels = (channels: ChannelImplementation[], added: AddedCommands[]): ChannelImplementation[] =>
  channels.map((channel) => {
    const own = added.filter(({ topic }) => topic.pattern === channel.topic.pattern);
    const commands = Object.assign(
      {},
      channel.commands,
      ...own.map((each) => each.commands),
    ) as typeof channel.commands;
    return { ...channel, topic: own[0]?.topic ?? channel.topic, commands };
  });
