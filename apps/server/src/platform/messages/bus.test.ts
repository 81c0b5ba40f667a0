import { isDeepStrictEqual } from 'node:util';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../test/fresh-database.ts';
import { buses, type NatsServer, startNats, testMessageKey } from '../../test/servers/nats-server.ts';
import { createLog, type Log } from '../log.ts';
import type { Json } from './bus.ts';
import { natsBus } from './nats.ts';
import { sharedKey } from './shared-key.ts';
import { createSigner, signingKey } from './signed.ts';

const log = createLog({ level: 'silent', pretty: false });
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

/** Collects received messages and waits for a number of them. */
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

describe.each(Object.entries(buses))('messages: %s', (_name, openBoth) => {
  const open = () => openBoth(nats);

  test('reach every subscriber of the subject, in order, and no other subscriber', async () => {
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

  test('a subscriber gets a copy, and no message after unsubscribing', async () => {
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

describe('messages over NATS that no server has sent', () => {
  /** A stranger on the same NATS, who records all messages and publishes any. */
  async function eavesdropper() {
    const connection = await connect({ servers: nats.url });
    onTestFinished(() => connection.close());
    const heard: Uint8Array[] = [];
    connection.subscribe('atoll.>', { callback: (_error, message) => void heard.push(message.data) });
    await connection.flush();
    const say = (data: Uint8Array | string, subject = 'topics') => connection.publish(`atoll.${subject}`, data);
    const settle = () => connection.flush();
    return { heard, say, settle };
  }

  async function server() {
    const warnings: { refusal: string; count: number }[] = [];
    const counting = {
      warn: (fields: { refusal: string; count: number }) => void warnings.push(fields),
    } as unknown as Log;
    const bus = await natsBus(nats.url, { key: testMessageKey, log: counting });
    onTestFinished(() => bus.close());
    const messages = inbox();
    await bus.subscribe('topics', messages.take);
    return { bus, warnings, ...messages };
  }

  /** Waits until all earlier messages have been received. */
  async function afterwards({ bus, until, received }: Awaited<ReturnType<typeof server>>): Promise<Json[]> {
    const end = { end: crypto.randomUUID() };
    bus.publish('topics', end);
    while (!received.some((each) => isDeepStrictEqual(each, end))) await until(received.length + 1);
    return received.filter((each) => typeof each === 'string');
  }

  test('are ignored and counted, whatever is wrong with them', async () => {
    const here = await server();
    const { say, settle } = await eavesdropper();
    const other = createSigner(signingKey(Buffer.alloc(32, 8)));
    const sign = createSigner(testMessageKey);
    say(JSON.stringify('unsigned'));
    say('');
    say(other('topics', JSON.stringify('of another key')));
    say(sign('presence', JSON.stringify('for another subject')));
    const changed = sign('topics', JSON.stringify('changed'));
    changed[changed.length - 2] = 'X'.charCodeAt(0);
    say(changed);
    for (const apart of [-61_000, 61_000, -Date.now()])
      say(createSigner(testMessageKey, () => Date.now() + apart)('topics', JSON.stringify('old')));
    await settle();
    expect(await afterwards(here)).toEqual([]);
    // Many refusals are one line in the log.
    expect(here.warnings).toEqual([expect.objectContaining({ refusal: 'forged', subject: 'topics', count: 1 })]);
  });

  test('are ignored when they are repeated, also by a subscriber that joined later', async () => {
    const here = await server();
    const { heard, say, settle } = await eavesdropper();
    here.bus.publish('topics', 'one');
    here.bus.publish('topics', 'two');
    await here.until(2);
    await settle();
    // Wait for another millisecond than that of the recorded messages.
    const began = Date.now();
    while (Date.now() === began) await new Promise((resolve) => setImmediate(resolve));
    const later = await server();
    for (const recorded of [...heard]) say(recorded);
    await settle();
    expect(await afterwards(here)).toEqual(['one', 'two']);
    expect(await afterwards(later)).toEqual([]);
    expect(here.warnings).toMatchObject([{ refusal: 'repeated' }]);
    expect(later.warnings).toMatchObject([{ refusal: 'old' }]);
  });

  test('differ from those of the servers of one database, which share a key', async () => {
    const [{ db, close }, other] = [await freshDatabase(), await freshDatabase()];
    onTestFinished(async () => void (await Promise.all([close(), other.close()])));
    const keys = await Promise.all([sharedKey(db), sharedKey(db), sharedKey(other.db)]);
    const [one, two, three] = keys.map((key) => key.export().toString('hex'));
    expect(one).toBe(two);
    expect(one).not.toBe(three);
    expect(one).toHaveLength(64);
  });
});

test('messages over NATS flow again after its server was away', async () => {
  const server = await startNats();
  const bus = await natsBus(server.url, { key: testMessageKey, log });
  const received = inbox();
  await bus.subscribe('topics', received.take);
  await server.stop();
  const again = await startNats(Number(new URL(server.url).port));
  // Messages before the connection is back are lost.
  const saying = setInterval(() => bus.publish('topics', 'back'), 20);
  expect((await received.until(1))[0]).toBe('back');
  clearInterval(saying);
  await bus.close();
  await again.stop();
});
