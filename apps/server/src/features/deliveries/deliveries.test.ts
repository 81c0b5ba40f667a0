import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Delivery, ExternalPublication, Firing, Notification, Schedule, UndeliveredMail } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { attachmentIn, startMailServer } from '../../test/servers/mail-server.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { openPdf } from '../reports/test-pdf.ts';
import { code, createReportApp, markdown, publishedReport } from '../reports/test-report.ts';
import { runs } from '../runs/table.ts';
import { identities } from '../sign-in/table.ts';
import { users } from '../users/table.ts';
import { unsubscribeLink } from './service/unsubscribe-link.ts';
import { deliveries, deliveryTargets } from './table.ts';

interface List<Entry> {
  entries: Entry[];
  total: number;
}
interface Asked {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}
type Reply = { status?: number; headers?: Record<string, string>; body?: object } | 'nothing';

/** A server on loopback that answers as it is told and keeps what it was asked. */
async function startTarget(answer: (asked: Asked) => Reply = () => ({})) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const each = { path: request.url ?? '', headers: request.headers, body: await buffer(request) };
    asked.push(each);
    const reply = answer(each);
    if (reply === 'nothing') return void request.socket.destroy();
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, asked };
}

const cells = [markdown('a', '# Monday\n\nHigh water at **noon**.')];
const settings = (app: TestApp, token: string, id: string, body: object) =>
  app.call<ExternalPublication>('PATCH', `/v1/external_publications/${id}`, { token, body });
const send = (app: TestApp, token: string, id: string) =>
  app.call<Delivery>('POST', `/v1/external_publications/${id}/deliveries`, { token });
const list = async (app: TestApp, token: string, id: string) =>
  (await app.call<List<Delivery>>('GET', `/v1/external_publications/${id}/deliveries`, { token })).body;
const settled = async (app: TestApp) => {
  await app.app.jobs.settled();
  await app.app.relay.settled();
  await app.app.jobs.settled();
};
const confirmed = (app: TestApp, id: string) =>
  app.database.db
    .update(users)
    .set({ emailConfirmedAt: new Date(app.clock.time) })
    .where(eq(users.id, id));
const minute = 60_000;

test('a report goes by mail with the PDF attached, to addresses and subscribers, and is opened again from the log', async () => {
  const mail = await startMailServer();
  const app = await createReportApp({ SMTP_URL: mail.url, SMTP_FROM: 'desk@example.org' }, { useConfiguredMail: true });
  onTestFinished(() => app.close());
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  const { id, slug } = await publishedReport(app, ada.token, cells);
  expect((await send(app, ada.token, id)).body).toMatchObject({ status: 422 });
  const set = await settings(app, ada.token, id, {
    enabled: true,
    delivery: {
      message: 'As every week',
      email: { enabled: true, addresses: ['harbour@example.org', 'HARBOUR@example.org'] },
    },
  });
  expect(set.body.delivery).toMatchObject({ attachment: 'pdf', email: { enabled: true } });
  const path = `/v1/external_publications/${id}/subscription`;
  expect((await app.call('POST', path, { token: bob.token })).status).toBe(422);
  await confirmed(app, bob.id);
  expect((await app.call('POST', path, { token: bob.token })).body).toEqual({
    is_subscribed: true,
    address: bob.email,
  });
  await app.deliveredMails();
  mail.received.length = 0;
  const begun = await send(app, ada.token, id);
  expect(begun).toMatchObject({ status: 200, body: { state: 'rendering', trigger: 'manual', version_number: 1 } });
  // Another press meanwhile is no second one.
  expect((await send(app, ada.token, id)).status).toBe(409);
  await settled(app);
  expect(mail.received.map(({ to }) => to.join()).sort()).toEqual(['HARBOUR@example.org', bob.email].sort());
  const [first] = mail.received;
  if (!first) throw new Error('no mail');
  const pdf = await openPdf(attachmentIn(first, 'application/pdf'));
  expect(pdf.text).toContain('High water at');
  const words = first.content.replace(/=\r?\n/g, '');
  expect(words).toContain('As every week');
  expect(words).toContain(`/publications/notebooks/${slug}`);
  expect(words).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const log = await list(app, ada.token, id);
  expect(log).toMatchObject({
    total: 1,
    entries: [{ state: 'delivered', pages: 1, has_file: true, targets: [{ state: 'sent' }, { state: 'sent' }] }],
  });
  const file = `/v1/external_publications/${id}/deliveries/${log.entries[0]?.id}/file`;
  expect((await app.call('GET', file, { token: ada.token })).headers['content-type']).toBe('application/pdf');
  for (const token of [bob.token, eve.token]) expect((await app.call('GET', file, { token })).status).not.toBe(200);

  // By the link in the mail, without signing in.
  const toBob = mail.received.find(({ to }) => to.includes(bob.email ?? ''));
  const link = /List-Unsubscribe:\s*<([^>]+)>/.exec(toBob?.content.replace(/\r?\n /g, '') ?? '')?.[1] ?? '';
  expect((await app.call('POST', new URL(link).pathname, { body: {} })).status).toBe(200);
  expect((await app.call('GET', path, { token: bob.token })).body).toMatchObject({ is_subscribed: false });
  mail.received.length = 0;
  await send(app, ada.token, id);
  await settled(app);
  expect(mail.received.map(({ to }) => to.join())).toEqual(['HARBOUR@example.org']);
});

test('a report of which a part failed is not sent, and its author is told which cell and why', async () => {
  const hook = await startTarget();
  const app = await createReportApp({ ATOLL_PRIVATE_TARGETS: hook.host });
  onTestFinished(() => app.close());
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, [
    ...cells,
    code('broken', 'plot()', { 'application/vnd.plotly.v1+json': { data: 'nothing that can be drawn' } }),
  ]);
  await settings(app, ada.token, id, { enabled: true, delivery: { webhook: { enabled: true, url: hook.url } } });
  await send(app, ada.token, id);
  await settled(app);
  const { entries } = await list(app, ada.token, id);
  expect(entries).toMatchObject([{ state: 'failed', targets: [], has_file: false }]);
  expect(entries[0]?.reason).toContain('broken');
  expect(hook.asked).toEqual([]);
  const told = await app.call<List<Notification>>('GET', '/v1/notifications', { token: ada.token });
  expect(told.body.entries.map(({ type }) => type)).toContain('report_not_delivered');
});

test('Slack gets the file and the words, Telegram a document, a webhook the link', async () => {
  const slack: Awaited<ReturnType<typeof startTarget>> = await startTarget(({ path }) =>
    path === '/files.getUploadURLExternal'
      ? { body: { ok: true, upload_url: `${slack.url}/upload/1`, file_id: 'F1' } }
      : { body: { ok: true } },
  );
  const telegram = await startTarget(() => ({ body: { ok: true, result: {} } }));
  const hook = await startTarget();
  const app = await createReportApp({
    SLACK_API_URL: slack.url,
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_BOT_TOKEN: '12345:token',
    ATOLL_PRIVATE_TARGETS: hook.host,
  });
  onTestFinished(() => app.close());
  const ada = await app.person();
  const { id, title } = await publishedReport(app, ada.token, cells);
  const set = await settings(app, ada.token, id, {
    enabled: true,
    delivery: {
      slack: { enabled: true, channel: 'C0123456789', token: 'xoxb-secret' },
      telegram: { enabled: true, chat_id: '-10012345' },
      webhook: { enabled: true, url: `${hook.url}/hooks/secret` },
    },
  });
  expect(set.status).toBe(200);
  // What was entered is not shown again.
  expect(JSON.stringify(set.body)).not.toMatch(/xoxb|hooks/);
  expect(set.body.delivery).toMatchObject({ slack: { has_token: true }, webhook: { host: hook.host } });
  await send(app, ada.token, id);
  await settled(app);
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'delivered' }]);
  expect(slack.asked.map(({ path }) => path)).toEqual([
    '/files.getUploadURLExternal',
    '/upload/1',
    '/files.completeUploadExternal',
  ]);
  expect(slack.asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer xoxb-secret',
    undefined,
    'Bearer xoxb-secret',
  ]);
  const [slot, bytes, done] = slack.asked.map(({ body }) => body);
  expect(new URLSearchParams(String(slot)).get('length')).toBe(String(bytes?.length));
  expect((await openPdf(bytes ?? Buffer.alloc(0))).text).toContain('High water');
  expect(JSON.parse(String(done))).toMatchObject({ channel_id: 'C0123456789', files: [{ id: 'F1', title }] });
  expect(telegram.asked.map(({ path }) => path)).toEqual(['/bot12345:token/sendDocument']);
  const sent = new Response(new Uint8Array(telegram.asked[0]?.body ?? []), {
    headers: { 'content-type': String(telegram.asked[0]?.headers['content-type']) },
  });
  const form = await sent.formData();
  expect(form.get('chat_id')).toBe('-10012345');
  expect((form.get('document') as File).type).toBe('application/pdf');
  expect(JSON.parse(String(hook.asked[0]?.body))).toMatchObject({
    title,
    url: expect.stringContaining('/publications/'),
  });
  await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: false } } });
  await send(app, ada.token, id);
  await settled(app);
  expect(slack.asked.at(-1)?.path).toBe('/chat.postMessage');
  expect(telegram.asked.at(-1)?.path).toBe('/bot12345:token/sendMessage');
});

test('a target that answers 500 or 429 is tried again, later and not for ever; one that answers nothing is not', async () => {
  const answers: Reply[] = [{ status: 500 }, { status: 429, headers: { 'retry-after': '600' } }, {}];
  const hook = await startTarget(() => answers.shift() ?? { status: 503 });
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  const on = { attachment: 'none', webhook: { enabled: true, url: hook.url } };
  await settings(app, ada.token, id, { enabled: true, delivery: on });
  await send(app, ada.token, id);
  await settled(app);
  expect(hook.asked).toHaveLength(1);
  app.clock.advance(2 * minute);
  await settled(app);
  expect(hook.asked).toHaveLength(2);
  app.clock.advance(9 * minute);
  await settled(app);
  expect(hook.asked).toHaveLength(2);
  app.clock.advance(2 * minute);
  await settled(app);
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'delivered' }]);
  expect(new Set(hook.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);

  await send(app, ada.token, id);
  for (let turn = 0; turn < 12; turn++) {
    await settled(app);
    app.clock.advance(20 * minute);
  }
  expect(hook.asked).toHaveLength(3 + 5);
  const [given] = (await list(app, ada.token, id)).entries;
  expect(given).toMatchObject({ state: 'failed', targets: [{ state: 'failed' }] });
  expect(given?.reason).toContain('It was tried 5 times.');

  const silent = await startTarget(() => 'nothing');
  const other = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: silent.host } });
  const bob = await other.person();
  const report = await publishedReport(other, bob.token, cells);
  await settings(other, bob.token, report.id, { delivery: { ...on, webhook: { enabled: true, url: silent.url } } });
  await send(other, bob.token, report.id);
  for (let turn = 0; turn < 3; turn++) {
    await settled(other);
    other.clock.advance(20 * minute);
  }
  expect(silent.asked).toHaveLength(1);
  expect((await list(other, bob.token, report.id)).entries).toMatchObject([
    { state: 'failed', targets: [{ state: 'unconfirmed' }] },
  ]);
});

test('a server that is killed while it sends does not let it be sent twice', async () => {
  const hook = await startTarget();
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  await settings(app, ada.token, id, {
    delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } },
  });
  await send(app, ada.token, id);
  await settled(app);
  expect(hook.asked).toHaveLength(1);
  // As a server leaves it that dies between its note and the end of the request.
  const { db } = app.database;
  await db.update(deliveryTargets).set({ state: 'sending', sentAt: null });
  await db.update(deliveries).set({ state: 'sending', endedAt: null });
  const leaseUntil = new Date(app.clock.time - 1);
  await db
    .update(jobsTable)
    .set({ state: 'running', attempts: 1, leaseId: newId(), leaseUntil, endedAt: null })
    .where(eq(jobsTable.kind, 'deliveries.send'));
  await settled(app);
  expect(hook.asked).toHaveLength(1);
  expect((await list(app, ada.token, id)).entries).toMatchObject([
    { state: 'failed', targets: [{ state: 'unconfirmed', reason: expect.stringContaining('not sent again') }] },
  ]);
});

test('an address that bounces is said, the others get it; a mail server that is down is tried again', async () => {
  let isDown = true;
  let isGone = true;
  const mail = await startMailServer((to) =>
    isGone && to.startsWith('gone')
      ? Object.assign(new Error('No such mailbox'), { responseCode: 550 })
      : isDown
        ? Object.assign(new Error('Try later'), { responseCode: 451 })
        : null,
  );
  const app = await createTestApp({ env: { SMTP_URL: mail.url }, useConfiguredMail: true });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  await settings(app, ada.token, id, {
    delivery: { attachment: 'none', email: { enabled: true, addresses: ['gone@example.org', 'here@example.org'] } },
  });
  await send(app, ada.token, id);
  await settled(app);
  isDown = false;
  app.clock.advance(2 * minute);
  await settled(app);
  const [delivery] = (await list(app, ada.token, id)).entries;
  expect(delivery).toMatchObject({
    state: 'partly_delivered',
    targets: [
      { address: 'gone@example.org', state: 'failed' },
      { address: 'here@example.org', state: 'sent' },
    ],
  });
  expect(delivery?.reason).toContain('gone@example.org');
  expect(mail.received.filter(({ to }) => to.includes('here@example.org'))).toHaveLength(1);

  // Admins see it with its reason, and send it again once the mailbox is there.
  const { token } = await app.admin();
  const undelivered = async () =>
    (await app.call<List<UndeliveredMail>>('GET', '/v1/admin/undelivered_mail', { token })).body.entries;
  const [failed, ...others] = await undelivered();
  expect(failed).toMatchObject({
    ...{ to: 'gone@example.org', event: expect.stringContaining('report: '), attempts: 1, next_attempt_at: null },
    reason: expect.stringContaining('No such mailbox'),
  });
  expect(others).toEqual([]);
  isGone = false;
  const again = () => app.call('POST', `/v1/admin/undelivered_mail/${failed?.id}/retry`, { token });
  expect((await again()).status).toBe(200);
  expect((await again()).status).toBe(404);
  await settled(app);
  expect(await undelivered()).toEqual([]);
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'delivered', reason: null }]);
  const got = mail.received.flatMap(({ to }) => to).filter((to) => !to.startsWith('user_'));
  expect(got.sort()).toEqual(['gone@example.org', 'here@example.org']);
});

test('private addresses are refused when they are connected to, by number, name or another spelling', async () => {
  const hook = await startTarget();
  const { port } = new URL(hook.url);
  const app = await createTestApp();
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  for (const url of [
    hook.url,
    `http://localhost:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://2130706433:${port}`,
    `http://0x7f.1:${port}`,
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1',
    'http://[fd00::1]',
  ]) {
    await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url } } });
    await send(app, ada.token, id);
    await settled(app);
    const [newest] = (await list(app, ada.token, id)).entries;
    expect(newest, url).toMatchObject({ state: 'failed' });
    expect(newest?.reason, url).toContain('private network');
    app.clock.advance(minute);
  }
  expect(hook.asked).toEqual([]);
});

test('a schedule delivers what it publishes, and ends with the delivery', async () => {
  let isRefused = false;
  const hook = await startTarget(() => (isRefused ? { status: 404 } : {}));
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, [code('a', 'print("tide")', { 'text/plain': 'old' })]);
  await settings(app, ada.token, id, {
    enabled: true,
    delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } },
  });
  const made = await app.call<{ schedule: Schedule }>('PATCH', `/v1/publication_schedules/${id}`, {
    token: ada.token,
    body: { schedule: { starts_at: new Date(app.clock.time + 60 * minute).toISOString() } },
  });
  const once = async () => {
    app.clock.advance(60 * minute);
    await app.app.jobs.settled();
    await expect
      .poll(async () => (await app.database.db.select().from(runs)).every(({ endedAt }) => endedAt))
      .toBe(true);
    await settled(app);
    await settled(app);
    const { body } = await app.call<List<Firing>>('GET', `/v1/schedules/${made.body.schedule.id}/firings`, {
      token: ada.token,
    });
    return body.entries[0];
  };
  expect(await once()).toMatchObject({ state: 'succeeded' });
  expect(hook.asked).toHaveLength(1);
  isRefused = true;
  expect(await once()).toMatchObject({ state: 'failed', reason: expect.stringContaining('refused') });
  expect((await list(app, ada.token, id)).entries.map(({ state, trigger }) => [state, trigger])).toEqual([
    ['failed', 'schedule'],
    ['delivered', 'schedule'],
  ]);
});

test('of a schedule, one address that bounces is told and is no failure', async () => {
  const mail = await startMailServer((to) =>
    to.startsWith('gone') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null,
  );
  const app = await createTestApp({ env: { SMTP_URL: mail.url }, useConfiguredMail: true });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, [code('a', 'print("tide")', { 'text/plain': 'old' })]);
  await settings(app, ada.token, id, {
    enabled: true,
    delivery: { attachment: 'none', email: { enabled: true, addresses: ['gone@example.org', 'here@example.org'] } },
  });
  const made = await app.call<{ schedule: Schedule }>('PATCH', `/v1/publication_schedules/${id}`, {
    token: ada.token,
    body: { schedule: {} },
  });
  await app.call('POST', `/v1/schedules/${made.body.schedule.id}/run`, { token: ada.token });
  await app.app.jobs.settled();
  await expect.poll(async () => (await app.database.db.select().from(runs)).every(({ endedAt }) => endedAt)).toBe(true);
  await settled(app);
  await settled(app);
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'partly_delivered' }]);
  const after = await app.call<{ schedule: Schedule }>('GET', `/v1/publication_schedules/${id}`, { token: ada.token });
  expect(after.body.schedule).toMatchObject({ failures_in_row: 0, last_firing: { state: 'succeeded' } });
  const told = await app.call<List<Notification>>('GET', '/v1/notifications', { token: ada.token });
  expect(told.body.entries.map(({ type }) => type)).toEqual(['report_not_delivered']);
});

test('what is not published is not sent', async () => {
  const hook = await startTarget();
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id, fileId } = await publishedReport(app, ada.token, cells);
  await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } } });
  await app.call('PATCH', `/v1/publications/files/${fileId}`, { token: ada.token, body: { access_level: 'draft' } });
  expect((await send(app, ada.token, id)).status).toBe(422);
  await settled(app);
  expect(hook.asked).toEqual([]);
});

test('editors change a report that goes to another person’s own chat, and choose none such themselves', async () => {
  const app = await createTestApp({ env: { TELEGRAM_BOT_TOKEN: '12345:token' } });
  const [ada, bob] = [await app.person(), await app.person()];
  const chats = { [ada.id]: '1001', [bob.id]: '1002' };
  await app.database.db.insert(identities).values(
    Object.entries(chats).map(([userId, subject]) => ({
      userId,
      subject,
      provider: 'telegram',
      issuer: 'telegram',
      createdAt: new Date(app.clock.time),
    })),
  );
  const { id, project } = await publishedReport(app, ada.token, cells);
  await app.call('POST', `/v1/notebooks/${project.id}/user_permissions`, {
    token: ada.token,
    body: { user_id: bob.id, permissions: ['view', 'view_source', 'edit', 'publish'] },
  });
  const set = async (token: string, delivery: object) => (await settings(app, token, id, { delivery })).status;
  const chat = async () =>
    (await app.call<ExternalPublication>('GET', `/v1/external_publications/${id}`, { token: ada.token })).body.delivery
      .telegram;
  expect(await set(ada.token, { telegram: { enabled: true, chat_id: '1002' } })).toBe(422);
  expect(await set(ada.token, { telegram: { enabled: true, chat_id: '1001' } })).toBe(200);
  expect(await set(bob.token, { message: 'Hello', telegram: { enabled: true, chat_id: '1001' } })).toBe(200);
  expect(await chat()).toEqual({ enabled: true, chat_id: '1001' });
  expect(await set(bob.token, { telegram: { chat_id: '1003' } })).toBe(422);
  // Turned off, it is for its own person to turn on again.
  expect(await set(bob.token, { telegram: { enabled: false } })).toBe(200);
  expect(await set(bob.token, { telegram: { enabled: true } })).toBe(422);
  expect(await set(bob.token, { telegram: { enabled: true, chat_id: '1002' } })).toBe(200);
  expect(await chat()).toEqual({ enabled: true, chat_id: '1002' });
});

test('bad settings change nothing', async () => {
  const app = await createTestApp();
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  for (const delivery of [
    { attachment: 'docx' },
    { email: { addresses: ['nobody'] } },
    { email: { addresses: Array.from({ length: 51 }, (_, each) => `a${each}@example.org`) } },
    { slack: { enabled: true } },
    { slack: { enabled: true, channel: 'C0123456789' } },
    { slack: { channel: '../x' } },
    { telegram: { enabled: true, chat_id: '12345' } },
    { telegram: { chat_id: 'drop table' } },
    { webhook: { enabled: true } },
    { webhook: { url: 'ftp://example.org' } },
    { webhook: { url: 'javascript:alert(1)' } },
    { extra: true },
  ])
    expect((await settings(app, ada.token, id, { delivery })).status, JSON.stringify(delivery)).toBe(422);
  const { body } = await app.call<ExternalPublication>('GET', `/v1/external_publications/${id}`, { token: ada.token });
  expect(body.delivery).toMatchObject({ email: { enabled: false, addresses: [] }, webhook: { host: null } });
  expect((await app.call('POST', '/v1/report_unsubscribe/nonsense', { body: {} })).status).toBe(410);
  const { oneClick } = unsubscribeLink(app.app.system(), newId(), 'ada@example.org');
  expect((await app.call('POST', new URL(oneClick).pathname, { body: {} })).status).toBe(200);
});

test('nobody sends without end in a day', async () => {
  const hook = await startTarget();
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } } });
  await send(app, ada.token, id);
  await settled(app);
  const [{ id: deliveryId } = { id: '' }] = (await list(app, ada.token, id)).entries;
  const sent = Array.from({ length: 999 }, (_, each) => ({
    deliveryId,
    kind: 'email' as const,
    address: `a${each}@example.org`,
    state: 'sent' as const,
  }));
  await app.database.db.insert(deliveryTargets).values(sent);
  app.clock.advance(minute);
  await send(app, ada.token, id);
  await settled(app);
  expect((await list(app, ada.token, id)).entries[0]?.reason).toContain('More than 1000 reports in a day');
  app.clock.advance(24 * 60 * minute);
  await send(app, ada.token, id);
  await settled(app);
  expect((await list(app, ada.token, id)).entries[0]?.state).toBe('delivered');
  expect(hook.asked).toHaveLength(2);
});

test('what a person sent who is deleted meanwhile arrives without their name', async () => {
  const hook = await startTarget();
  const app = await createTestApp({ env: { ATOLL_PRIVATE_TARGETS: hook.host } });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, cells);
  await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url: hook.url } } });
  await send(app, ada.token, id);
  await app.database.db.update(deliveries).set({ requesterId: null });
  await settled(app);
  expect(hook.asked).toHaveLength(1);
});
