import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NatsServer, startNats } from '../../test/nats-server.ts';
import { createLog } from '../log.ts';
import type { Json, MessageBus } from './bus.ts';
import { inProcessBus } from './in-process.ts';
import { natsBus } from './nats.ts';

const log = createLog({ level: 'silent', pretty: false });
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

/** Two servers' ends of the same bus. */
const implementations: Record<string, () => Promise<[MessageBus, MessageBus]>> = {
  async 'in the process'() {
    const bus = inProcessBus();
    return [bus, bus];
  },
  NATS: async () => [await natsBus(nats.url, log), await natsBus(nats.url, log)],
};

/** Collects what comes and waits for so many. */
function inbox() {
  const received: Json[] = [];
  let wake = () => {};
  return {
    received,
    take: (data: Json) => {
      received.push(data);
      wake();
    },
    async until(count: number) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return received;
    },
  };
}

describe.each(Object.keys(implementations))('messages: %s', (name) => {
  const open = async () => (await implementations[name]?.()) as [MessageBus, MessageBus];

  test('reach every subscriber of the subject, in order, and nobody else', async () => {
    const [here, there] = await open();
    const [one, two, other] = [inbox(), inbox(), inbox()];
    await here.subscribe('topics', one.take);
    await there.subscribe('topics', two.take);
    await there.subscribe('presence', other.take);
    const sent = Array.from({ length: 100 }, (_, number) => ({ number, text: 'ö \u0000 “”', list: [null, true] }));
    for (const message of sent) here.publish('topics', message);
    expect(await one.until(100)).toEqual(sent);
    expect(await two.until(100)).toEqual(sent);
    here.publish('presence', 'x');
    expect(await other.until(1)).toEqual(['x']);
    await Promise.all([here.close(), there.close()]);
  });

  test('a subscriber gets a copy, and after unsubscribing nothing', async () => {
    const [here, there] = await open();
    const [gone, stays] = [inbox(), inbox()];
    const stop = await there.subscribe('topics', gone.take);
    await there.subscribe('topics', stays.take);
    const message = { list: [1] };
    here.publish('topics', message);
    message.list.push(2);
    expect(await gone.until(1)).toEqual([{ list: [1] }]);
    stop();
    here.publish('topics', 'later');
    expect(await stays.until(2)).toEqual([{ list: [1] }, 'later']);
    expect(gone.received).toHaveLength(1);
    await Promise.all([here.close(), there.close()]);
  });
});

test('messages over NATS flow again after its server was away', async () => {
  const server = await startNats();
  const bus = await natsBus(server.url, log);
  const received = inbox();
  await bus.subscribe('topics', received.take);
  await server.stop();
  const again = await startNats(Number(new URL(server.url).port));
  // What is said before it has found the server again is lost.
  const saying = setInterval(() => bus.publish('topics', 'back'), 20);
  expect((await received.until(1))[0]).toBe('back');
  clearInterval(saying);
  await bus.close();
  await again.stop();
});
