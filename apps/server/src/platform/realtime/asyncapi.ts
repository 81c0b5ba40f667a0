import { apiPrefix, joinBase, joinedBase, type Theme, type TopicContract, topics } from '@atoll/contract';
import { z } from 'zod';

const schema = (type: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(type, { io, unrepresentable: 'any' });

/** Topics, commands and events as AsyncAPI 3, built from the contract like everything else. */
export function asyncApiDocument(theme: Pick<Theme, 'name' | 'app_url'>) {
  const { host, protocol } = new URL(theme.app_url);
  const channels: Record<string, object> = {};
  const operations: Record<string, object> = {};
  for (const [name, topic] of Object.entries<TopicContract>(topics)) {
    const messages: Record<string, object> = {};
    const add = (key: string, action: 'send' | 'receive', message: object, extra: object = {}) => {
      messages[key] = message;
      const reference = { $ref: `#/channels/${name}/messages/${key}` };
      operations[`${name}.${key}`] = {
        action,
        channel: { $ref: `#/channels/${name}` },
        messages: [reference],
        ...extra,
      };
    };
    add('phx_join', 'receive', {
      summary: topic.summary,
      payload: schema(topic.join.extend(joinBase.shape), 'input'),
      'x-permission': topic.permission,
      'x-reply': schema(topic.joined.extend(joinedBase.shape), 'output'),
    });
    for (const [event, command] of Object.entries(topic.commands)) {
      add(event, 'receive', {
        summary: command.summary,
        payload: schema(command.input, 'input'),
        'x-permission': command.permission,
        'x-request-id': command.isWriting,
        'x-reply': schema(command.output, 'output'),
      });
    }
    for (const [event, payload] of Object.entries(topic.events)) {
      add(`event.${event}`, 'send', { name: event, payload: schema(payload.extend({ position: z.int() }), 'output') });
    }
    channels[name] = {
      address: topic.pattern,
      summary: topic.summary,
      parameters: Object.fromEntries([...topic.pattern.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, {}])),
      messages,
      'x-presence': topic.hasPresence,
    };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: `${theme.name} realtime`,
      version: '1',
      description:
        'Phoenix Channels, version 2: use the npm package `phoenix`. Fetch a token with `POST /v1/me/socket_token` and pass it as `authToken`.',
    },
    servers: { socket: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', pathname: `${apiPrefix}/socket` } },
    channels,
    operations,
  };
}
