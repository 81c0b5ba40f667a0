import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { StrategyRunView, TradingBotChannel } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { telegramIssuer } from '../sign-in/service/telegram-sign-in.ts';
import { identities } from '../sign-in/table.ts';
import { strategyRunner } from '../strategies/test-runs.ts';
import { commandsJob } from './service/commands.ts';
import { sendJob } from './service/posts.ts';
import { dailyJob, updatesJob } from './service/updates.ts';
import { botPosts, tradingBotChannels } from './table.ts';

interface Said {
  chat_id: string | number;
  text: string;
}
type Reply = { status: number; body: object } | 'nothing';

const token = '4242:secret';
const said: Said[] = [];
let updates: object[] = [];
const offsets: number[] = [];
let answer: (message: Said) => Reply | null = () => null;

let app: TestApp;
let it: ReturnType<typeof strategyRunner>;
let admin: string;

/** As much of Telegram's API as the bot uses. */
async function startTelegram(): Promise<string> {
  const server = createServer(async (request, response) => {
    const fields = (await json(request)) as Record<string, unknown>;
    const reply = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url === `/bot${token}/getUpdates`) {
      offsets.push(Number(fields.offset));
      const fresh = updates.filter((each) => (each as { update_id: number }).update_id >= Number(fields.offset));
      return reply(200, { ok: true, result: fresh });
    }
    if (request.url !== `/bot${token}/sendMessage`) return reply(404, { ok: false, description: 'Not Found' });
    const message = fields as unknown as Said;
    const special = answer(message);
    if (special === 'nothing') return void request.socket.destroy();
    if (special) return reply(special.status, special.body);
    said.push(message);
    reply(200, { ok: true, result: { message_id: said.length } });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

beforeAll(async () => {
  const TELEGRAM_API_URL = await startTelegram();
  app = await createTestApp({ keepOpen: true, env: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL } });
  it = strategyRunner(app);
  admin = (await app.admin()).token;
  return () => app.close();
});
beforeEach(async () => {
  await app.database.db.delete(tradingBotChannels);
  said.length = 0;
  answer = () => null;
});

const channel = async (body: object = {}) => {
  const made = await app.post<TradingBotChannel & { message: string }>(admin, '/v1/admin/trading_bot_channels', {
    title: 'Desk',
    telegram_chat_id: '-100',
    ...body,
  });
  expect(made.status, made.body.message).toBe(200);
  return made.body;
};
const channels = async () =>
  (await app.call<{ entries: TradingBotChannel[] }>('GET', '/v1/admin/trading_bot_channels', { token: admin })).body
    .entries;

type AnyJob = { run(job: never): Promise<unknown> };
/** One turn of a job, as the queue would give it. */
async function turn(job: AnyJob): Promise<void> {
  const ctx = app.app.system();
  const write = <Result>(work: Parameters<typeof ctx.write<Result>>[0]) => ctx.write(work);
  await job.run({ ctx, payload: {}, write, finish: write, signal: new AbortController().signal } as never);
}

/** A strategy that runs and is published. */
async function published(title: string) {
  const who = await it.runner();
  await it.publish(who, title);
  const { body: run } = await it.begin(who);
  return { ...who, run };
}

describe('the bot', () => {
  test('posts the trades of published strategies, each once, and of no others', async () => {
    await channel();
    await channel({ title: 'Alarms only', telegram_chat_id: '@alarms', type: 'alarms' });
    await channel({ title: 'Off', telegram_chat_id: '-3', is_enabled: false });
    const [who, secret] = [await published('Told'), await it.runner()];
    const { body: own } = await it.begin(secret);
    await it.atNextBar(who.run.id);
    await it.step(own.id);
    await app.settled();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({
      chat_id: '-100',
      text: expect.stringMatching(/^Bought BTC at [\d.]+ USDT with 10 % of its capital\nbar 1\nTold \(demo\)\nhttp/),
    });
    expect((await channels()).find(({ title }) => title === 'Desk')).toMatchObject({
      last_post_at: expect.any(String),
      problem: null,
    });
  });

  test('posts alarms without what is its owner’s to know', async () => {
    await channel({ type: 'alarms' });
    const who = await published('Halting');
    await app.call('POST', `/v1/exchange_connections/${who.connectionId}/halt`, { token: who.token, body: {} });
    await it.atNextBar(who.run.id);
    await app.settled();
    expect(said.map(({ text }) => text.split('\n')[0])).toEqual(['Alarm: Halting is paused.']);
  });

  test('posts results every so often and once a day, also when it was late', async () => {
    const made = await channel({ type: 'results', periodic_updates_enabled: true, periodic_updates_interval: 60 });
    const who = await published('Regular');
    await it.atNextBar(who.run.id);
    await turn(updatesJob);
    await app.settled();
    expect(said).toEqual([]);
    app.clock.time += 3 * 3_600_000 + 120_000;
    await turn(updatesJob);
    await turn(updatesJob);
    await app.settled();
    const updatesSaid = said.filter(({ text }) => text.startsWith('Running strategies'));
    expect(updatesSaid).toHaveLength(1);
    expect(updatesSaid[0]?.text).toMatch(/Regular \(demo\): .*[+−]?\d+\.\d\d % since its start/);
    const [row] = await app.database.db.select().from(tradingBotChannels).where(eq(tradingBotChannels.id, made.id));
    // In step with its interval, not with when it was posted.
    expect((row?.lastUpdateAt?.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(3 * 3_600_000);
    await turn(dailyJob);
    await turn(dailyJob);
    await app.settled();
    expect(said.filter(({ text }) => text.startsWith('Results of '))).toHaveLength(1);
  });

  test('waits where Telegram says so, gives up where it refuses, and never says a thing twice', async () => {
    const made = await channel();
    const testPost = () =>
      app.call('POST', `/v1/admin/trading_bot_channels/${made.id}/test`, { token: admin, body: {} });
    const states = async () => (await app.database.db.select().from(botPosts)).map(({ state }) => state);
    answer = () => ({ status: 429, body: { ok: false, parameters: { retry_after: 7 } } });
    await testPost();
    await app.settled();
    expect(await states()).toEqual(['queued']);
    // Nobody asks again before that.
    answer = () => null;
    await turn(updatesJob);
    await app.settled();
    expect(said).toEqual([]);
    app.clock.time += 8_000;
    await app.settled();
    expect(said).toHaveLength(1);
    answer = () => ({ status: 403, body: { ok: false, description: 'bot was kicked' } });
    await testPost();
    await app.settled();
    expect((await channels())[0]?.problem).toContain('bot was kicked');
    answer = () => 'nothing';
    await testPost();
    await app.settled();
    expect((await states()).toSorted()).toEqual(['failed', 'sent', 'unconfirmed']);
    // Killed while it was sent: it may have arrived.
    answer = () => null;
    await app.database.db.update(botPosts).set({ state: 'sending', endedAt: null }).where(eq(botPosts.state, 'failed'));
    await turn(sendJob);
    expect((await states()).toSorted()).toEqual(['sent', 'unconfirmed', 'unconfirmed']);
    expect(said).toHaveLength(1);
  });

  test('refuses channels that cannot be', async () => {
    const bad = (body: object) =>
      app.post(admin, '/v1/admin/trading_bot_channels', { title: 'x', telegram_chat_id: '-1', ...body });
    expect((await bad({ telegram_chat_id: 'https://t.me/x' })).status).toBe(422);
    expect((await bad({ periodic_updates_interval: 1 })).status).toBe(422);
    expect((await bad({ type: 'everything' })).status).toBe(422);
    expect((await app.call('POST', `/v1/admin/trading_bot_channels/${newId()}/test`, { token: admin })).status).toBe(
      404,
    );
  });
});

describe('commands', () => {
  let next = 1;
  const command = (text: string, from: number, type = 'private') => ({
    update_id: next++,
    message: { text, chat: { id: from, type }, from: { id: from } },
  });
  const send = async (...given: object[]) => {
    updates = given;
    said.length = 0;
    await turn(commandsJob);
    return said.map(({ text }) => text);
  };
  const link = (userId: string, telegramId: number) =>
    app.database.db.insert(identities).values({
      ...{ id: newId(), userId, provider: 'telegram', issuer: telegramIssuer, subject: String(telegramId) },
      createdAt: new Date(app.clock.time),
    });

  test('tell and stop what is one’s own, and nobody else’s', async () => {
    await channel();
    const [who, other] = [await published('Commanded'), await it.runner()];
    await link(who.id, 501);
    await link(other.id, 502);
    expect(await send(command('/status', 999))).toEqual([expect.stringContaining('Sign in to')]);
    expect(await send(command('/status', 502))).toEqual(['None of your strategies is running.']);
    const [status = ''] = await send(command('/status', 501));
    const short = who.run.id.slice(-6);
    expect(status).toContain(`${short}: `);
    expect(status).toContain('(demo, running)');
    expect(await send(command(`/stop ${short}`, 502))).toEqual([expect.stringContaining('Say which one')]);
    expect(await send(command('/stop', 501))).toEqual([expect.stringContaining('Say which one')]);
    expect((await it.runOf(who)).state).toBe('running');
    const before = offsets.at(-1);
    expect(await send(command(`/stop ${short}`, 501), command('hello', 501), command('/nonsense', 501))).toEqual([
      expect.stringContaining('is stopped.'),
      expect.stringContaining('/status'),
    ]);
    expect((await it.runOf(who)).state).toBe('stopped' satisfies StrategyRunView['state']);
    // What was looked at is not looked at again.
    expect(await send()).toEqual([]);
    expect(offsets.at(-1)).toBeGreaterThan(before ?? 0);
  });

  test('in a channel tell of published strategies only', async () => {
    await channel();
    await published('In the channel');
    const [text = ''] = await send(command('/status@atoll_bot', 777, 'supergroup'));
    expect(text).toContain('In the channel (demo)');
  });

  test('that are broken are passed over', async () => {
    await channel();
    const number = next++;
    expect(await send({ update_id: number, message: { text: 5 } }, { nothing: true }, command('/help', 1))).toEqual([
      expect.stringContaining('/stop ID'),
    ]);
  });
});
