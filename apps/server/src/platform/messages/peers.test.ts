import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buses, type NatsServer, startNats } from '../../test/servers/nats-server.ts';
import { AppError } from '../errors.ts';
import { createLog } from '../log.ts';
import { createPeers } from './peers.ts';

const log = createLog({ level: 'silent', pretty: false });
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

describe.each(Object.entries(buses))('asking another server: %s', (_, open) => {
  async function two() {
    const [here, there] = await open(nats);
    onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
    const [one, other] = [createPeers(here, log), createPeers(there, log)];
    await one.start('one');
    await other.start('other');
    return { one, other };
  }

  test('a broadcast reaches every server, its sender too', async () => {
    const { one, other } = await two();
    const [here, there] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    await one.subscribe('news', here.resolve);
    await other.subscribe('news', there.resolve);
    one.broadcast('news', { drawn: 1 });
    expect(await Promise.all([here.promise, there.promise])).toEqual([{ drawn: 1 }, { drawn: 1 }]);
  });

  test('is answered, whatever the size, also while both servers ask', async () => {
    const { one, other } = await two();
    other.answer('double', async (text) => `${text}${text}`);
    one.answer('double', async (text) => `${text}!${text}`);
    const long = 'ö “”'.repeat(400_000);
    const asked = [one.ask('other', 'double', 'a'), other.ask('one', 'double', 'b'), one.ask('other', 'double', long)];
    expect(await Promise.all(asked)).toEqual(['aa', 'b!b', long + long]);
  });

  test("is refused with the other server's reason, and fails when no server answers", async () => {
    const { one, other } = await two();
    other.answer('refuse', async () => {
      throw new AppError('conflict', 'Not now.', { details: { reason: 'busy' } });
    });
    other.answer('fail', async () => {
      throw new Error('of no concern to anybody else');
    });
    await expect(one.ask('other', 'refuse', null)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Not now.',
      extras: { details: { reason: 'busy' } },
    });
    const failed = one.ask('other', 'fail', null);
    await expect(failed).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(failed).rejects.not.toThrow('concern');
    await expect(one.ask('nobody', 'double', '')).rejects.toMatchObject({
      extras: { details: { reason: 'no_answer' } },
    });
  });
});
