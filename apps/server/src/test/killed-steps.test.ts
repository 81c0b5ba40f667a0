import { randomUUID } from 'node:crypto';
import {
  type AiConversation,
  type Delivery,
  type ExchangeConnection,
  type Firing,
  type ProjectDetail,
  type Publication,
  type PublicationRun,
  type RatePlan,
  type Schedule,
  type Session,
  type TradingOrder,
  topicName,
  topics,
} from '@atoll/contract';
import { eq, sql } from 'drizzle-orm';
import { Socket } from 'phoenix';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { aiConversations } from '../features/ai/table.ts';
import { hashOf } from '../features/deliveries/service/recipients.ts';
import { reportConsents } from '../features/deliveries/table.ts';
import { users } from '../features/users/table.ts';
import { wrongWallets } from '../features/wallet/service/entries.ts';
import { rowsOf } from '../platform/db/rows.ts';
import { jobsTable } from '../platform/jobs/table.ts';
import { join as joinTopic } from './realtime-client.ts';
import { notebookProject, signUp } from './server-client.ts';
import {
  aheadMs,
  current,
  database,
  endKernels,
  env,
  exchange,
  hour,
  isWaiting,
  letGo,
  runsOf,
  type Server,
  start,
  startHook,
  useKilledServers,
  waitingProject,
} from './servers/killed-server.ts';
import { attachmentIn, startMailServer } from './servers/mail-server.ts';

useKilledServers();

/** A server process that is killed at the steps of what it does by itself, and started again on the same database. */

test('a firing that is killed at each of its steps has one run, and its report is sent once', async () => {
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const mail = await startMailServer(undefined, ({ to }) =>
    to.includes('harbour@example.org') ? held.promise : Promise.resolve(),
  );
  const hook = await startHook();
  Object.assign(env, { SMTP_URL: mail.url, SMTP_FROM: 'desk@example.org', ATOLL_PRIVATE_TARGETS: hook.host });
  const first = await start();
  await signUp(first);
  const project = await waitingProject(first);
  const { id: senderId } = await first.call<Session>('GET', '/v1/me');
  await database.db.update(users).set({ emailConfirmedAt: new Date() }).where(eq(users.id, senderId));
  const consent = { senderId, addressHash: hashOf('harbour@example.org'), state: 'confirmed' as const };
  await database.db.insert(reportConsents).values(consent);
  const { id } = await first.call<Publication>('PATCH', `/v1/publications/files/${project.fileId}`, {
    title: 'Tides',
    access_level: 'public',
  });
  await first.call('PATCH', `/v1/external_publications/${id}`, {
    enabled: true,
    delivery: {
      email: { enabled: true, addresses: ['harbour@example.org'] },
      webhook: { enabled: true, url: `http://${hook.host}` },
    },
  });
  const { schedule } = await first.call<{ schedule: Schedule }>('PATCH', `/v1/publication_schedules/${id}`, {
    schedule: { type: 'one_off', starts_at: new Date(Date.now() + hour).toISOString() },
  });
  // Its time comes, and nothing is noted.
  await first.follow({ killBefore: 'schedules.fire' }, hour);
  await first.died();
  // It is noted, and its run has not been started.
  await (await start({ killBefore: 'schedules.fire noted' })).died();
  // It runs; that it was started is noted at the firing, and not at the job.
  const third = await start({ holdAfter: 'schedules.fire noted' });
  await expect.poll(() => isWaiting(third, project.id)).toBe(true);
  await third.kill();
  // The run has ended, and nothing is published.
  const fourth = await start({ killBefore: 'schedules run.ended' });
  letGo();
  await fourth.died();
  // It is published, and nothing is drawn.
  await (await start({ killBefore: 'deliveries.render' })).died();
  // It is drawn, and nothing is sent.
  await (await start({ killBefore: 'deliveries.send' })).died();
  expect([mail.received.filter(({ to }) => to.includes('harbour@example.org')), hook.asked]).toEqual([[], []]);
  // The mail server has taken it and has not said so yet; the webhook has.
  const seventh = await start();
  const delivered = async (server: Server) =>
    (await server.call<{ entries: Delivery[] }>('GET', `/v1/external_publications/${id}/deliveries`)).entries;
  const ofHook = async () =>
    (await delivered(seventh))[0]?.targets.find(({ kind }) => kind === 'webhook')?.state ?? null;
  const toHarbour = () => mail.received.filter(({ to }) => to.includes('harbour@example.org'));
  await expect.poll(async () => [toHarbour().length, await ofHook()]).toEqual([1, 'sent']);
  await seventh.kill();

  const last = await start();
  const firings = async () =>
    (await last.call<{ entries: Firing[] }>('GET', `/v1/schedules/${schedule.id}/firings`)).entries;
  await expect.poll(async () => (await firings()).map(({ state }) => state)).toEqual(['succeeded']);
  const runs = await runsOf(last, project.id);
  expect(runs.map(({ status }) => status)).toEqual(['succeeded']);
  expect((await firings())[0]?.run_id).toBe(runs[0]?.id);
  const deliveries = await delivered(last);
  expect(deliveries).toMatchObject([{ state: 'partly_delivered', version_number: 2 }]);
  expect(deliveries[0]?.targets.map(({ kind, state }) => [kind, state]).sort()).toEqual([
    ['email', 'unconfirmed'],
    ['webhook', 'sent'],
  ]);
  expect(deliveries[0]?.targets.find(({ kind }) => kind === 'email')?.reason).toContain('It is not sent again');
  expect(toHarbour().map((each) => attachmentIn(each, 'application/pdf').subarray(0, 5).toString())).toEqual(['%PDF-']);
  expect(hook.asked).toEqual([deliveries[0]?.id]);
});

test('publishing that waits for a run is settled when the server is killed during it, with the reason where it failed', async () => {
  const first = await current();
  await signUp(first);
  const [kept, lost] = [await waitingProject(first), await waitingProject(first)];
  const publish = (server: Server, { fileId }: typeof kept) =>
    server.call<Publication>('PATCH', `/v1/publications/files/${fileId}`, { access_level: 'public', run_first: true });
  const state = async (server: Server, { fileId }: typeof kept) => {
    const { run, publication } = await server.call<{ run: PublicationRun; publication: Publication }>(
      'GET',
      `/v1/publications/files/${fileId}`,
    );
    return [run.state, publication.access_level, publication.version_number, run.reason];
  };
  await publish(first, kept);
  await expect.poll(() => isWaiting(first, kept.id)).toBe(true);
  await first.kill();
  // The run goes on and ends, and its result is not published.
  const second = await start({ killBefore: 'publications run.ended' });
  expect(await state(second, kept)).toEqual(['running', 'draft', 0, null]);
  letGo();
  await second.died();
  const third = await start();
  await expect.poll(() => state(third, kept)).toEqual(['published', 'public', 1, null]);

  await publish(third, lost);
  await expect.poll(() => isWaiting(third, lost.id)).toBe(true);
  await third.kill();
  await endKernels();
  const last = await start();
  await expect.poll(() => state(last, lost)).toEqual(['failed', 'draft', 0, expect.stringMatching(/\w/)]);
  expect(await state(last, kept)).toEqual(['published', 'public', 1, null]);
});

test('units that were being moved when the server was killed are moved once, and a renewal is paid once', async () => {
  const first = await current();
  await signUp(first);
  const { id } = await first.call<Session>('GET', '/v1/me');
  await database.db.update(users).set({ role: 'admin' }).where(eq(users.id, id));
  const keys = Array.from({ length: 60 }, () => randomUUID());
  const credit = (server: Server, request_id: string) =>
    server.call('POST', `/v1/admin/users/${id}/wallet_transactions`, { request_id, amount: 100, reason: 'Test' });
  const balanceOf = async (server: Server) => (await server.call<{ balance: number }>('GET', '/v1/balance')).balance;
  const asked = keys.map((key) => credit(first, key).catch(() => null));
  await Promise.race(asked);
  await first.kill();
  await Promise.all(asked);
  const second = await start();
  for (const key of keys) await credit(second, key);
  expect(await balanceOf(second)).toBe(6_000);

  const { entries } = await second.call<{ entries: RatePlan[] }>('GET', '/v1/rate_plans');
  const rate_plan_id = entries.find(({ name }) => name === 'Starter')?.id;
  await second.call('POST', '/v1/rate_plan_subscription', { rate_plan_id, period: 'monthly' });
  await second.follow({ killBefore: 'subscriptions.bill' }, 31 * 24 * hour);
  await second.died();
  // It is paid, and that is not noted at the job.
  const third = await start({ holdAfter: 'subscriptions.bill' });
  await expect.poll(() => balanceOf(third)).toBe(4_200);
  await third.kill();
  const last = await start();
  const due = sql`${jobsTable.kind} = 'subscriptions.bill' and (${jobsTable.state} = 'running'
    or ${jobsTable.state} = 'queued' and ${jobsTable.dueAt} < ${new Date(Date.now() + aheadMs + hour).toISOString()})`;
  await expect.poll(() => database.db.select().from(jobsTable).where(due)).toEqual([]);
  expect(await balanceOf(last)).toBe(4_200);
  expect(await wrongWallets(database.db)).toEqual([]);
});

test('orders that were being sent when the server was killed are at the exchange once at most, and none is forgotten', async () => {
  const first = await current();
  await signUp(first);
  const key = { api_key: 'key-of-one-who-is-killed', secret: 'a secret of some length' };
  exchange.addKey(key.api_key, key);
  const connected = { type: 'binance_testnet', ...key };
  const { id } = await first.call<ExchangeConnection>('POST', '/v1/exchange_connections', connected);
  await first.call('PATCH', `/v1/exchange_connections/${id}`, { limits: { orders_per_minute: 600 } });
  const keys: string[] = [];
  const place = (server: Server, request_id: string) =>
    server.call('POST', '/v1/trading/orders', {
      ...{ connection_id: id, request_id, symbol: 'BTC/USDT', side: 'buy', type: 'market', amount: '0.001' },
    });
  const post = 'POST /api/v3/order';
  const posts = () => exchange.received.filter(({ name }) => name === post).map(({ params }) => params);
  /** Five of one person are sent at a time: all of them are at the same step when the server is killed. */
  const atOnce = 5;
  const placeMany = async (server: Server) => {
    const more = Array.from({ length: 40 }, () => randomUUID());
    keys.push(...more);
    await Promise.all(more.map((each) => place(server, each).catch(() => null)));
  };
  const meet = (kind: 'hang_before' | 'hang_after') => {
    for (let times = 0; times < atOnce; times++) exchange.faults.push({ on: post, kind });
  };
  // Stored, and not sent.
  await first.follow({ killBefore: 'trading.send' });
  await placeMany(first);
  await first.died();
  // Under way, and not there yet.
  meet('hang_before');
  const second = await start();
  // The first one may have been killed when it had stored fewer than are sent at a time.
  const placing = placeMany(second);
  // Not after all of them are placed: on a slow machine those under way are given up by then.
  await expect.poll(() => posts().length, { interval: 10 }).toBeGreaterThanOrEqual(atOnce);
  await second.kill();
  await placing;
  // There, and the answer is under way.
  meet('hang_after');
  const third = await start();
  const placingMore = placeMany(third);
  await expect.poll(() => exchange.faults.length, { interval: 10 }).toBe(0);
  await third.kill();
  await placingMore;
  // Answered and stored, and that is not noted at the job.
  const fourth = await start({ holdAfter: 'trading.send' });
  await placeMany(fourth);
  await fourth.kill();

  const last = await start();
  // As a browser does whose request was not answered.
  for (const each of keys) await place(last, each);
  const orders = async () =>
    (
      await last.call<{ entries: TradingOrder[] }>('GET', '/v1/trading/transactions?page_size=100&page=1')
    ).entries.concat(
      (await last.call<{ entries: TradingOrder[] }>('GET', '/v1/trading/transactions?page_size=100&page=2')).entries,
    );
  await expect
    .poll(async () => {
      await last.follow({}, 20_000);
      return (await orders()).filter(({ state }) => state === 'formed').length;
    })
    .toBe(0);
  const mine = await orders();
  expect(mine).toHaveLength(keys.length);
  const closed = mine.filter(({ state }) => state === 'closed');
  expect(exchange.ordersOf(key.api_key)).toHaveLength(closed.length);
  const never = mine.filter(({ reason }) => reason === 'The exchange never received it');
  expect(never.length).toBeGreaterThanOrEqual(atOnce);
  expect(mine).toHaveLength(closed.length + never.length);
  const sent = posts().map((params) => params.get('newClientOrderId'));
  expect(new Set(sent).size).toBe(sent.length);
});

/** A conversation as a page has it, at the server that runs now. */
async function chatAt(server: Server, address: { projectId: string; fileId: string }) {
  const { token } = await server.call<{ token: string }>('POST', '/v1/me/socket_token', {});
  const url = `${server.url.replace('http', 'ws')}/api/atoll/socket`;
  const socket = new Socket(url, { transport: WebSocket, authToken: token });
  socket.connect();
  onTestFinished(() => socket.disconnect());
  const document = await joinTopic(socket, topicName(topics.notebook, address));
  const chat = await joinTopic(socket, topicName(topics.assistant, address));
  const history = () => document.push('get_chat_history', {}) as unknown as Promise<AiConversation>;
  return {
    close: () => socket.disconnect(),
    send: (event: string, input: object) => document.push(event, { request_id: randomUUID(), ...input }),
    history,
    streamed: () => chat.event('chat_streaming'),
    until: (kind: string) => chat.event('chat_event', ({ event }) => (event as { kind: string }).kind === kind),
    state: async () => (await history()).state,
    end: async () => (await history()).events.at(-1)?.payload,
    cells: async () => {
      const { cells } = (await document.push('get_notebook', {})) as unknown as { cells: { source: string }[] };
      return cells.map(({ source }) => source);
    },
  };
}

test('conversations go on at the next server, wherever the one before it was killed, and do everything once', async () => {
  const first = await current();
  await signUp(first);
  const insert = (source: string) => `> call insert_cell {"source": "${source}"}\n> then\n> say Inserted`;
  const said = 'The gauge is read by hand. '.repeat(10).trim();
  const scripts = {
    streaming: `> slow 50\n> say ${said}`,
    running: '> call run_cells {"cell_ids": ["c0"]}\n> then\n> say It was stopped',
    waiting: insert('waiting'),
    inserting: insert('inserting'),
  };
  type Name = keyof typeof scripts;
  const begin = async (name: Name) => {
    const projectId = await notebookProject(first, ['import time\ntime.sleep(600)']);
    const { default_file_id } = await first.call<ProjectDetail>('GET', `/v1/notebooks/${projectId}`);
    const address = { projectId, fileId: default_file_id ?? '' };
    const chat = await chatAt(first, address);
    await chat.cells();
    const policies = { run_cells: 'always', insert_cell: name === 'waiting' ? 'ask' : 'always' };
    await chat.send('update_ai_configuration', { policies });
    return { ...chat, address, say: () => chat.send('send_message', { text: scripts[name] }) };
  };
  const begun = {
    ...{ streaming: await begin('streaming'), running: await begin('running') },
    ...{ waiting: await begin('waiting'), inserting: await begin('inserting') },
  };
  await begun.running.say();
  await begun.running.until('tool_execution_start');
  await begun.waiting.say();
  await expect.poll(begun.waiting.state).toBe('waiting_for_approval');
  await database.db.transaction(async (tx) => {
    // What is stored in the transaction of the result cannot be until this one ends.
    await tx.execute(sql`lock table notebook_cells in share mode`);
    await begun.inserting.say();
    const held = sql`select 1 from pg_locks where not granted and relation = 'notebook_cells'::regclass`;
    await expect.poll(async () => rowsOf(await tx.execute(held))).toHaveLength(1);
    await begun.streaming.say();
    await begun.streaming.streamed();
    await first.kill();
    const left = await tx.select({ state: aiConversations.state }).from(aiConversations);
    expect(left.map(({ state }) => state).sort()).toEqual(['running', 'running', 'running', 'waiting_for_approval']);
  });
  for (const { close } of Object.values(begun)) close();

  const second = await start();
  const asked = await chatAt(second, begun.waiting.address);
  const calls = (await asked.history()).events.flatMap(
    ({ payload }) => (payload as { calls?: { id: string }[] }).calls ?? [],
  );
  expect(await asked.state()).toBe('waiting_for_approval');
  await asked.send('approve_tool_use', { call_id: calls[0]?.id });
  const outcomes = { streaming: [], running: ['interrupted'], waiting: ['ok'], inserting: ['ok'] } as Record<
    Name,
    string[]
  >;
  const ends = { streaming: said, running: 'It was stopped', waiting: 'Inserted', inserting: 'Inserted' };
  for (const [name, text] of Object.entries(ends) as [Name, string][]) {
    const chat = await chatAt(second, begun[name].address);
    await expect.poll(chat.state, { message: name }).toBe('idle');
    expect(await chat.end(), name).toMatchObject({ text, stop_reason: null });
    const { events } = await chat.history();
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const completed = events.flatMap(({ kind, payload }) =>
      kind === 'tool_execution_completed' ? (payload as { outcome: string }).outcome : [],
    );
    expect(completed, name).toEqual(outcomes[name]);
    expect((await chat.cells()).slice(1), name).toEqual(outcomes[name].includes('ok') ? [name] : []);
  }
});
