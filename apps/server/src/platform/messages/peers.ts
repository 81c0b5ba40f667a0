import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Json, MessageBus } from './bus.ts';

/** Sends a request to one certain server and waits for its answer, or broadcasts to all of them. */
export interface Peers {
  /** Rejects with the other server's refusal, or with an error when that server does not answer. */
  ask(serverId: string, name: string, payload: Json, answerMs?: number): Promise<Json>;
  /** Registers the handler for requests of other servers. */
  answer(name: string, handler: (payload: Json) => Promise<Json>): void;
  /** Sends to every server, this one included. The message may get lost, so use it for hints only. */
  broadcast(name: string, payload: Json): void;
  subscribe(name: string, handler: (payload: Json) => void): Promise<void>;
  start(serverId: string): Promise<void>;
}

type PeerMessage =
  | { type: 'ask'; id: string; from: string; name: string; payload: Json }
  /** Sent at once, before the work, because a silent server counts as gone. */
  | { type: 'heard'; id: string }
  | { type: 'answer'; id: string; value: Json }
  | { type: 'refused'; id: string; code: string | null; message: string; extras: Json };

type Part = { id: string; index: number; count: number; text: string };

interface PendingRequest {
  resolve(value: Json): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
  answerMs: number;
}

const heardMs = 3_000;
const usualMs = 15_000;
/** NATS takes 1 MB. */
const partLength = 200_000;

const noAnswer = () =>
  new AppError('service_unavailable', 'The server that has this does not answer. Try again in a minute.', {
    details: { reason: 'no_answer' },
  });

export function createPeers(bus: MessageBus, log: Log): Peers {
  const handlers = new Map<string, (payload: Json) => Promise<Json>>();
  const pending = new Map<string, PendingRequest>();
  const incomplete = new Map<string, { parts: string[]; missing: number }>();
  /** The id of this process, so that it gets no answers to an earlier process. */
  const me = randomUUID();

  function post(to: string, said: PeerMessage): void {
    const text = JSON.stringify(said);
    const count = Math.ceil(text.length / partLength);
    const id = randomUUID();
    for (let index = 0; index < count; index++) {
      const part: Part = { id, index, count, text: text.slice(index * partLength, (index + 1) * partLength) };
      bus.publish(`peer.${to}`, part);
    }
  }

  /** Joins a message's parts in order; a message with a lost part is dropped whole. */
  function take(data: Json): void {
    const { id, index, count, text } = data as Part;
    const whole = incomplete.get(id) ?? { parts: [], missing: count };
    whole.parts[index] = text;
    whole.missing -= 1;
    if (whole.missing > 0) {
      if (!incomplete.has(id)) setTimeout(() => incomplete.delete(id), usualMs).unref();
      incomplete.set(id, whole);
      return;
    }
    incomplete.delete(id);
    receive(JSON.parse(whole.parts.join('')) as PeerMessage);
  }

  function receive(said: PeerMessage): void {
    if (said.type === 'ask') return void reply(said);
    const waiting = pending.get(said.id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    if (said.type === 'heard') {
      waiting.timer = setTimeout(() => settle(said.id, (each) => each.reject(noAnswer())), waiting.answerMs);
    } else if (said.type === 'answer') settle(said.id, (each) => each.resolve(said.value));
    else settle(said.id, (each) => each.reject(rebuilt(said)));
  }

  function settle(id: string, how: (pending: PendingRequest) => void): void {
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting) how(waiting);
  }

  async function reply({ id, from, name, payload }: Extract<PeerMessage, { type: 'ask' }>): Promise<void> {
    post(from, { type: 'heard', id });
    try {
      const handler = handlers.get(name);
      if (!handler) throw new AppError('service_unavailable', 'The other server is of another version.');
      post(from, { type: 'answer', id, value: await handler(payload) });
    } catch (error) {
      const isOurs = !(error instanceof AppError);
      if (isOurs) log.error({ error, name }, 'Another server was not answered');
      const { code = null, extras = {} } = isOurs ? {} : error;
      post(from, { type: 'refused', id, code, message: (error as Error).message, extras: extras as Json });
    }
  }

  return {
    ask: (serverId, name, payload, answerMs = usualMs) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        const timer = setTimeout(() => settle(id, (each) => each.reject(noAnswer())), heardMs);
        pending.set(id, { resolve, reject, timer, answerMs });
        post(serverId, { type: 'ask', id, from: me, name, payload });
      }),
    answer: (name, handler) => void handlers.set(name, handler),
    broadcast: (name, payload) => bus.publish(`broadcast.${name}`, payload),
    subscribe: async (name, handler) => void (await bus.subscribe(`broadcast.${name}`, handler)),
    async start(serverId) {
      await bus.subscribe(`peer.${me}`, take);
      await bus.subscribe(`peer.${serverId}`, take);
    },
  };
}

function rebuilt({ code, message, extras }: Extract<PeerMessage, { type: 'refused' }>): Error {
  if (code === null) return new AppError('service_unavailable', 'The other server could not do it. Try again.');
  return new AppError(code as AppError['code'], message, extras as AppError['extras']);
}
