import { z } from 'zod';
import type { Permission } from './declarations.ts';
import type { FeatureName } from './features.ts';
import { id } from './fields.ts';

/** One command of a topic. */
export interface CommandContract<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  permission: Permission;
  flag?: FeatureName;
  summary: string;
  input: Input;
  output: Output;
  /** Carries a `request_id` made by the client and is applied at most once with it; one that is aside sees to that itself. */
  isWriting: boolean;
  /** Takes its time: what the same window sends after it does not wait for its answer. */
  isAside: boolean;
}

interface TopicOptions<
  Join extends z.ZodObject,
  Joined extends z.ZodObject,
  Commands extends Record<string, CommandContract>,
  Events extends Record<string, z.ZodObject>,
> {
  permission: Permission;
  /** The feature flag without which joining is refused with `disabled_in_configuration`. */
  flag?: FeatureName;
  summary: string;
  /** What a client says when it joins, beside `last_seen`. */
  join?: Join;
  /** What it is answered, beside what it missed. */
  joined?: Joined;
  commands?: Commands;
  /** Stored with a position, so that a client that was away receives what it missed. */
  events?: Events;
  /** Its events are only for those who are here: nothing is kept, and the next one makes up for a lost one. */
  isPassing?: boolean;
  /** Who is here, by the protocol's own presence_state and presence_diff. */
  hasPresence?: boolean;
}

type Params<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Params<Rest>
  : never;

type None = z.ZodObject<Record<never, never>>;

export interface TopicContract<
  Pattern extends string = string,
  Join extends z.ZodObject = z.ZodObject,
  Joined extends z.ZodObject = z.ZodObject,
  Commands extends Record<string, CommandContract> = Record<string, CommandContract>,
  Events extends Record<string, z.ZodObject> = Record<string, z.ZodObject>,
> {
  pattern: Pattern;
  permission: Permission;
  flag: FeatureName | null;
  summary: string;
  join: Join;
  joined: Joined;
  commands: Commands;
  events: Events;
  isPassing: boolean;
  hasPresence: boolean;
}

/** Declares a realtime topic: the only way to add one, so none comes without a permission. */
export function topic<
  Pattern extends string,
  Join extends z.ZodObject = None,
  Joined extends z.ZodObject = None,
  Commands extends Record<string, CommandContract> = Record<never, never>,
  Events extends Record<string, z.ZodObject> = Record<never, never>,
>(
  pattern: Pattern,
  options: TopicOptions<Join, Joined, Commands, Events>,
): TopicContract<Pattern, Join, Joined, Commands, Events> {
  const none = z.strictObject({}) as unknown;
  return {
    pattern,
    permission: options.permission,
    flag: options.flag ?? null,
    summary: options.summary,
    join: options.join ?? (none as Join),
    joined: options.joined ?? (none as Joined),
    commands: options.commands ?? ({} as Commands),
    events: options.events ?? ({} as Events),
    isPassing: options.isPassing ?? false,
    hasPresence: options.hasPresence ?? false,
  };
}

export const command = <Input extends z.ZodType, Output extends z.ZodType>(
  contract: Omit<CommandContract<Input, Output>, 'isWriting' | 'isAside'> & { isWriting?: boolean; isAside?: boolean },
): CommandContract<Input, Output> => ({ isWriting: false, isAside: false, ...contract });

export type TopicParams<Topic extends TopicContract> = Record<Params<Topic['pattern']>, string>;
export type TopicEventName<Topic extends TopicContract> = keyof Topic['events'] & string;
export type TopicEvent<Topic extends TopicContract, Name extends TopicEventName<Topic>> = z.infer<
  Topic['events'][Name]
>;

/** The name of a topic with these ids in it. */
export const topicName = <Topic extends TopicContract>({ pattern }: Topic, params: TopicParams<Topic>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: keyof typeof params) => params[name] ?? '');

/** Cells are called as nbformat has it, markets as exchanges do; everything else has an id of ours. */
const isNamedElsewhere = (param: string | undefined) => ['cellId', 'exchange', 'asset'].includes(param ?? '');

const matchers = new Map<string, { names: string[]; expression: RegExp }>();

/** Asked with every command, so each pattern is read once. */
function matcherOf(pattern: string) {
  const known = matchers.get(pattern);
  if (known) return known;
  const names: string[] = [];
  const expression = pattern.replace(/\{(\w+)\}/g, (_, param: string) => {
    names.push(param);
    return isNamedElsewhere(param) ? '([A-Za-z0-9_-]{1,64})' : '([0-9a-f-]{36})';
  });
  const matcher = { names, expression: new RegExp(`^${expression}$`) };
  matchers.set(pattern, matcher);
  return matcher;
}

/** The ids in a topic's name, or null when it is not of this pattern. */
export function topicParams<Topic extends TopicContract>({ pattern }: Topic, name: string): TopicParams<Topic> | null {
  const { names, expression } = matcherOf(pattern);
  const found = expression.exec(name);
  if (!found?.slice(1).every((value, index) => isNamedElsewhere(names[index]) || id.safeParse(value).success))
    return null;
  return Object.fromEntries(names.map((param, index) => [param, found[index + 1]])) as TopicParams<Topic>;
}

/** What every join carries beside its own fields. */
export const joinBase = z.object({
  last_seen: z.int().min(0).optional().describe('The position of the last event seen; what came after it is answered'),
});

export const missedEvent = z.object({
  position: z.int(),
  event: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

/** What every join is answered beside its own fields. */
export const joinedBase = z.object({
  position: z.int().describe('The newest event of the topic'),
  missed: z.array(missedEvent).describe('What came after `last_seen`, in order'),
  is_reset: z.boolean().describe('Too much was missed: reload everything'),
});
export type Joined = z.infer<typeof joinedBase>;
