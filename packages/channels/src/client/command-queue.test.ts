import { afterEach, describe, expect, test } from 'vitest';
import { type ChannelHandler, type Json, Refusal } from '../index.ts';
import { startCuttingProxy } from '../test/cutting-proxy.ts';
import {
  clients,
  connect,
  disconnectAll,
  gate,
  joined,
  type Person,
  server,
  startServer,
  until,
} from '../test/harness.ts';
import { CommandError, createCommandQueue } from './index.ts';

let proxy: Awaited<ReturnType<typeof startCuttingProxy>> | undefined;
afterEach(async () => {
  await disconnectAll();
  await proxy?.stop();
  proxy = undefined;
  await server.stop();
});

/** Applies each request once, as a service with a table of request ids would. */
function ledger() {
  const applied: Json[] = [];
  const answers = new Map<string, Promise<{ status: 'ok'; response: object }>>();
  let repeats = 0;
  const handler: ChannelHandler<Person> = {
    join: async () => ({}),
    async command(channel, event, payload) {
      const { request_id, n } = payload as { request_id: string; n: number };
      if (event === 'refuse') throw new Refusal({ reason: 'stale' });
      if (event === 'crash') throw new Error('always');
      if (event === 'mute') return new Promise(() => {});
      const known = answers.get(request_id);
      if (known) {
        repeats++;
        return known;
      }
      const answer = (async () => {
        // The order of arrival counts, however long the work takes.
        applied.push(n);
        await new Promise((resolve) => setImmediate(resolve));
        return { status: 'ok' as const, response: { n } };
      })();
      answers.set(request_id, answer);
      if (event === 'cut') channel.connection.close(1012, 'cut');
      return answer;
    },
  };
  return { handler, applied, repeats: () => repeats };
}

describe.each(clients)('the command queue with phoenix $version', ({ phoenix }) => {
  test('answers, refusals, timeouts, crashes and the end of the channel', async () => {
    const { handler, applied } = ledger();
    await startServer({ doc: handler });
    const channel = await joined(connect(phoenix, server.url), 'doc:1');
    const queue = createCommandQueue(channel);
    expect(await queue.send('add', { n: 1 })).toEqual({ n: 1 });
    await expect(queue.send('refuse', {})).rejects.toMatchObject({ kind: 'refused', response: { reason: 'stale' } });
    const crash = queue.send('crash', {});
    const after = queue.send('add', { n: 2 });
    await expect(crash).rejects.toMatchObject({ kind: 'crashed' });
    expect(await after).toEqual({ n: 2 });
    expect(server.errors).toHaveLength(3);
    await expect(queue.send('mute', {}, { timeoutMs: 10 })).rejects.toBeInstanceOf(CommandError);
    const last = queue.send('add', { n: 3 });
    server.channels.closeTopic('doc:1');
    await expect(last).rejects.toMatchObject({ kind: 'closed' });
    await expect(queue.send('add', { n: 4 })).rejects.toMatchObject({ kind: 'closed' });
    expect(applied).toEqual([1, 2]);
  });

  test('sends a command again when its answer was lost, and applies it once', async () => {
    const { handler, applied, repeats } = ledger();
    await startServer({ doc: handler });
    const channel = await joined(connect(phoenix, server.url), 'doc:1');
    const queue = createCommandQueue(channel);
    expect(await queue.send('cut', { n: 1 })).toEqual({ n: 1 });
    expect(applied).toEqual([1]);
    expect(repeats()).toBe(1);
  });

  test('commands sent before the join or without a connection wait, in order', async () => {
    const { handler, applied } = ledger();
    const ready = gate();
    await startServer({ doc: { ...handler, join: () => ready.opened.then(() => ({})) } });
    const channel = connect(phoenix, server.url).channel('doc:1');
    const queue = createCommandQueue(channel, { maxInFlight: 2 });
    const sent = [1, 2, 3, 4, 5].map((n) => queue.send('add', { n }));
    channel.join();
    ready.release();
    await Promise.all(sent);
    expect(applied).toEqual([1, 2, 3, 4, 5]);
  });

  test("a day of work at once stays below the server's limits", async () => {
    const { handler, applied } = ledger();
    await startServer({ doc: handler }, { limits: { messagesPerSecond: 2_000, messageBurst: 40 } });
    const channel = await joined(connect(phoenix, server.url), 'doc:1');
    const queue = createCommandQueue(channel, { perSecond: 500, burst: 20 });
    await Promise.all(Array.from({ length: 200 }, (_, n) => queue.send('add', { n })));
    expect(applied).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(server.channels.stats().refused).toEqual({});
  });

  test.each([
    { transport: 'websocket', cuts: 1_000 },
    { transport: 'longpoll', cuts: 300 },
  ])('$cuts cuts of $transport at random bytes: each edit applied once, in order', async (row) => {
    const { transport, cuts } = row;
    const { handler, applied, repeats } = ledger();
    await startServer({ doc: handler });
    let seed = 1_115;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    // The handshake alone takes some 400 bytes: some cuts fall into it, most after it.
    proxy = await startCuttingProxy(server.port, () => 100 + Math.floor(random() * 4_000));
    const cutter = proxy;
    const url = server.url.replace(`${server.port}`, `${cutter.port}`);
    const socket = connect(phoenix, url, {
      transport,
      reconnectAfterMs: () => 1 + Math.floor(random() * 4),
      rejoinAfterMs: () => 1,
    });
    const channel = socket.channel('doc:1');
    const queue = createCommandQueue(channel, { perSecond: 1e6, burst: 1e6 });
    channel.join();
    let last = 0;
    let unanswered = 0;
    const sent: Promise<unknown>[] = [];
    while (cutter.cuts < cuts) {
      if (unanswered < 40) {
        unanswered++;
        sent.push(queue.send('add', { n: ++last }).finally(() => unanswered--));
      } else await new Promise((resolve) => setImmediate(resolve));
    }
    const answers = await Promise.all(sent);
    expect(answers).toEqual(Array.from({ length: last }, (_, index) => ({ n: index + 1 })));
    expect(applied).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(repeats()).toBeGreaterThan(0);
    await until(() => server.channels.stats().commands === 0);
    expect(server.errors).toEqual([]);
  });
});
