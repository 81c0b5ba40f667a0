import { afterEach, describe, expect, test } from 'vitest';
import type { ChannelHandler, Json, LeaveReason } from './index.ts';
import {
  clients,
  closeAll,
  connect,
  gate,
  joined,
  outcome,
  type Person,
  raw,
  server,
  startServer,
  until,
} from './test/harness.ts';

afterEach(closeAll);

describe.each(clients)('a running join, with phoenix $version', ({ phoenix }) => {
  test('sends broadcasts made during a join after its reply, without those that the reply includes', async () => {
    const [entered, snapshot] = [gate(), gate()];
    await startServer({
      doc: {
        async join(channel) {
          entered.release();
          await snapshot.opened;
          channel.push('greeting', {});
          return { response: { version: 2 }, position: 2 };
        },
        command: async () => ({ status: 'ok' }),
      },
    });
    const socket = connect(phoenix, server.url);
    const order: unknown[] = [];
    socket.onMessage(({ event, payload }) => order.push([event, (payload as { n?: number }).n]));
    const channel = socket.channel('doc:1');
    const join = outcome(channel.join());
    await entered.opened;
    const publish = (n: number) => server.channels.broadcast('doc:1', 'edit', { n }, { position: n });
    for (const n of [1, 2, 3, 3, 4]) publish(n);
    server.channels.broadcast('doc:1', 'note', {});
    snapshot.release();
    expect(await join).toMatchObject({ response: { version: 2 } });
    for (const n of [4, 2, 5, 5]) publish(n);
    server.channels.broadcast('doc:1', 'end', {});
    await until(() => order.at(-1)?.toString() === 'end,');
    expect(order).toEqual([
      ['phx_reply', undefined],
      ['edit', 3],
      ['edit', 4],
      ['note', undefined],
      ['greeting', undefined],
      ['edit', 5],
      ['end', undefined],
    ]);
  });

  test('a refused join gets no broadcasts', async () => {
    const [entered, decision] = [gate(), gate()];
    await startServer({
      doc: {
        async join() {
          entered.release();
          await decision.opened;
          throw new Error('no');
        },
        command: async () => ({ status: 'ok' }),
      },
    });
    const socket = connect(phoenix, server.url, { rejoinAfterMs: () => 60_000 });
    const heard: string[] = [];
    socket.onMessage(({ event }) => heard.push(event));
    const join = outcome(socket.channel('doc:1').join());
    await entered.opened;
    server.channels.broadcast('doc:1', 'secret', {});
    decision.release();
    await join;
    server.channels.broadcast('doc:1', 'secret', {});
    await joined(connect(phoenix, server.url), 'doc:2').catch(() => {});
    expect(heard).toEqual(['phx_reply']);
    expect(server.channels.stats().channels).toBe(0);
  });
});

describe('the life of a channel', () => {
  /** Opens a connection that joins this topic at once. */
  const joins = async (topic: string, limits: object = {}) => {
    const left: LeaveReason[] = [];
    const done: Json[] = [];
    const [entered, joining, started, working] = [gate(), gate(), gate(), gate()];
    const handler: ChannelHandler<Person> = {
      async join(channel) {
        entered.release();
        if (channel.topic === 'doc:slow') await joining.opened;
        return {};
      },
      async command(_channel, event, payload) {
        if (event === 'wait') {
          started.release();
          await working.opened;
        }
        if (event === 'crash') throw new Error('crash');
        done.push(payload as Json);
        return { status: 'ok' };
      },
      left: (_channel, why) => void left.push(why),
    };
    await startServer({ doc: handler }, { limits });
    const connection = await raw(server.url);
    connection.send(['1', '1', topic, 'phx_join', {}]);
    const leaves = async () => {
      joining.release();
      await until(() => left.length > 0);
      return left;
    };
    return { ...connection, left, done, entered, started, working, leaves };
  };

  /** Sends two commands: one that runs, and one waiting behind it. */
  const twoCommands = async () => {
    const { send, hear, started, ...rest } = await joins('doc:1');
    await hear(1);
    send(['1', '2', 'doc:1', 'wait', 'first']);
    send(['1', '3', 'doc:1', 'save', 'second']);
    await started.opened;
    await until(() => server.channels.stats().commands === 2);
    return rest;
  };

  test('calls `left` after the join when the connection dies in it', async () => {
    const { ws, left, entered, leaves } = await joins('doc:slow');
    await entered.opened;
    ws.terminate();
    await until(() => server.channels.stats().channels === 0);
    expect(left).toEqual([]);
    expect(await leaves()).toEqual(['disconnected']);
  });

  test('queued commands run in order although the client is gone, and then `left` is called', async () => {
    const { left, done, working, ws } = await twoCommands();
    ws.terminate();
    await until(() => server.channels.stats().connections === 0);
    expect([done, left]).toEqual([[], []]);
    working.release();
    await until(() => left.length > 0);
    expect([done, left]).toEqual([['first', 'second'], ['disconnected']]);
  });

  test('drops the queued commands of a removed client', async () => {
    const { left, done, working, closed } = await twoCommands();
    expect(server.channels.closeWhere(({ name }) => name === 'anonymous', 4001, 'signed out')).toBe(1);
    expect(await closed).toEqual({ code: 4001, reason: 'signed out' });
    working.release();
    await until(() => left.length > 0);
    expect([done, left]).toEqual([['first'], ['disconnected']]);
  });

  test('a push just before leaving runs before the channel is left', async () => {
    const { send, hear, left, done } = await joins('doc:1');
    send(['1', '2', 'doc:1', 'save', 'last words']);
    await hear(2);
    send(['1', '3', 'doc:1', 'save', 'really']);
    send(['1', '4', 'doc:1', 'phx_leave', {}]);
    const heard = await hear(5);
    expect(heard.slice(2).map((message) => (message as unknown[]).slice(1, 4))).toEqual([
      ['3', 'doc:1', 'phx_reply'],
      ['4', 'doc:1', 'phx_reply'],
      ['1', 'doc:1', 'phx_close'],
    ]);
    await until(() => left.length > 0);
    expect([done, left]).toEqual([['last words', 'really'], ['leave']]);
  });

  test('a leave does not wait for a join that hangs', async () => {
    const { send, hear, entered, leaves } = await joins('doc:slow');
    await entered.opened;
    send(['1', '2', 'doc:slow', 'phx_leave', {}]);
    await hear(2);
    expect(server.channels.stats()).toMatchObject({ channels: 0, commands: 1 });
    expect(await leaves()).toEqual(['leave']);
  });

  test('refuses a join that takes too long, and calls `left` when it ends after all', async () => {
    const { hear, leaves } = await joins('doc:slow', { joinTimeoutMs: 20 });
    expect(await hear(1)).toEqual([
      ['1', '1', 'doc:slow', 'phx_reply', { status: 'error', response: { reason: 'join timeout' } }],
    ]);
    expect(await leaves()).toEqual(['crashed']);
  });

  test('losing the right while joining refuses the join', async () => {
    const { hear, entered, leaves } = await joins('doc:slow');
    await entered.opened;
    server.channels.closeTopic('doc:slow');
    expect(await hear(1)).toEqual([
      ['1', '1', 'doc:slow', 'phx_reply', { status: 'error', response: { reason: 'closed' } }],
    ]);
    expect(await leaves()).toEqual(['closed']);
  });

  test('after a crash the commands waiting behind it are dropped, other channels continue', async () => {
    const { send, hear, left, done } = await joins('doc:1');
    send(['2', '2', 'doc:2', 'phx_join', {}]);
    await hear(2);
    send(['1', '3', 'doc:1', 'crash', {}]);
    send(['1', '4', 'doc:1', 'save', 'lost']);
    send(['2', '5', 'doc:2', 'save', 'kept']);
    await until(() => done.length === 1 && left.length === 1);
    expect([done, left]).toEqual([['kept'], ['crashed']]);
    expect(server.channels.stats().commands).toBe(0);
  });

  test('an answer that cannot be written as JSON ends only its channel', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await startServer({
      doc: { join: async () => ({}), command: async () => ({ status: 'ok', response: circle }) },
      bad: { join: async () => ({ response: circle }), command: async () => ({ status: 'ok' }) },
    });
    const { send, hear } = await raw(server.url);
    send(['1', '1', 'doc:1', 'phx_join', {}]);
    await hear(1);
    send(['1', '2', 'doc:1', 'any', {}]);
    await hear(2);
    send(['3', '3', 'bad:1', 'phx_join', {}]);
    expect((await hear(3)).slice(1)).toEqual([
      ['1', '1', 'doc:1', 'phx_error', { reason: 'channel_crash' }],
      ['3', '3', 'bad:1', 'phx_reply', { status: 'error', response: { reason: 'join crashed' } }],
    ]);
    server.channels.broadcast('doc:1', 'bad', circle);
    expect(server.errors).toHaveLength(2);
  });
});
