import type { ExternalPublication, Firing, Schedule } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import { jobsTable } from '../../platform/jobs/table.ts';
import { attachmentIn, startMailServer } from '../../test/servers/mail-server.ts';
import { createTestApp } from '../../test/test-app.ts';
import { openPdf } from '../reports/test-pdf.ts';
import { code, createReportApp, publishedReport } from '../reports/test-report.ts';
import { runs } from '../runs/table.ts';
import { identities } from '../sign-in/table.ts';
import { unsubscribeLink } from './service/unsubscribe-link.ts';
import { deliveries, deliveryTargets } from './table.ts';
import {
  agree,
  cells,
  type List,
  list,
  minute,
  printing,
  reportForHook,
  send,
  settings,
  startTarget,
} from './test-deliveries.ts';

test('a report goes by mail with the PDF attached, to addresses and subscribers, and is opened again from the log', async () => {
  const mail = await startMailServer();
  const app = await createReportApp({ SMTP_URL: mail.url, SMTP_FROM: 'desk@example.org' }, { useConfiguredMail: true });
  const [ada, bob, eve] = [await app.person(), await app.person(), await app.person()];
  const { id, slug } = await publishedReport(app, ada.token, cells);
  expect((await send(app, ada.token, id)).body).toMatchObject({ status: 422 });
  await agree(app, ada.id, 'harbour@example.org');
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
  await app.confirm(bob.id);
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
  await app.settled();
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
  await app.settled();
  expect(mail.received.map(({ to }) => to.join())).toEqual(['HARBOUR@example.org']);
});

test('a report of which a part failed is not sent, and its author is told which cell and why', async () => {
  const hook = await startTarget();
  const app = await createReportApp({ ATOLL_PRIVATE_TARGETS: hook.host });
  const ada = await app.person();
  const { id } = await publishedReport(app, ada.token, [
    ...cells,
    code('broken', 'plot()', { 'application/vnd.plotly.v1+json': { data: 'nothing that can be drawn' } }),
  ]);
  await settings(app, ada.token, id, { enabled: true, delivery: { webhook: { enabled: true, url: hook.url } } });
  await send(app, ada.token, id);
  await app.settled();
  const { entries } = await list(app, ada.token, id);
  expect(entries).toMatchObject([{ state: 'failed', targets: [], has_file: false }]);
  expect(entries[0]?.reason).toContain('broken');
  expect(hook.asked).toEqual([]);
  expect((await app.notifications(ada.token)).map(({ type }) => type)).toContain('report_not_delivered');
});

test('a server that is killed while it sends does not let it be sent twice', async () => {
  const { app, ada, hook, id } = await reportForHook();
  await send(app, ada.token, id);
  await app.settled();
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
  await app.settled();
  expect(hook.asked).toHaveLength(1);
  expect((await list(app, ada.token, id)).entries).toMatchObject([
    { state: 'failed', targets: [{ state: 'unconfirmed', reason: expect.stringContaining('not sent again') }] },
  ]);
});

test('a schedule delivers what it publishes, and ends with the delivery', async () => {
  let isRefused = false;
  const { app, ada, hook, id } = await reportForHook(() => (isRefused ? { status: 404 } : {}), printing);
  await settings(app, ada.token, id, { enabled: true });
  const made = await app.patch<{ schedule: Schedule }>(ada.token, `/v1/publication_schedules/${id}`, {
    schedule: { starts_at: new Date(app.clock.time + 60 * minute).toISOString() },
  });
  const once = async () => {
    app.clock.advance(60 * minute);
    await app.app.jobs.settled();
    await expect
      .poll(async () => (await app.database.db.select().from(runs)).every(({ endedAt }) => endedAt))
      .toBe(true);
    await app.settled();
    const { body } = await app.get<List<Firing>>(ada.token, `/v1/schedules/${made.body.schedule.id}/firings`);
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
  const { id } = await publishedReport(app, ada.token, printing);
  await agree(app, ada.id, 'gone@example.org', 'here@example.org');
  await settings(app, ada.token, id, {
    enabled: true,
    delivery: { attachment: 'none', email: { enabled: true, addresses: ['gone@example.org', 'here@example.org'] } },
  });
  const made = await app.patch<{ schedule: Schedule }>(ada.token, `/v1/publication_schedules/${id}`, { schedule: {} });
  await app.call('POST', `/v1/schedules/${made.body.schedule.id}/run`, { token: ada.token });
  await app.app.jobs.settled();
  await expect.poll(async () => (await app.database.db.select().from(runs)).every(({ endedAt }) => endedAt)).toBe(true);
  await app.settled();
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'partly_delivered' }]);
  const after = await app.call<{ schedule: Schedule }>('GET', `/v1/publication_schedules/${id}`, { token: ada.token });
  expect(after.body.schedule).toMatchObject({ failures_in_row: 0, last_firing: { state: 'succeeded' } });
  expect((await app.notifications(ada.token)).map(({ type }) => type)).toEqual(['report_not_delivered']);
});

test('what is not published is not sent', async () => {
  const { app, ada, hook, id, fileId } = await reportForHook();
  await app.call('PATCH', `/v1/publications/files/${fileId}`, { token: ada.token, body: { access_level: 'draft' } });
  expect((await send(app, ada.token, id)).status).toBe(422);
  await app.settled();
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
  await app.share(ada.token, project.id, bob.id, ['view', 'view_source', 'edit', 'publish']);
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
  const of = { publicationId: newId(), address: 'ada@example.org', senderId: newId() };
  const { oneClick } = unsubscribeLink(app.app.system(), of);
  expect((await app.call('POST', new URL(oneClick).pathname, { body: {} })).status).toBe(200);
});

test('nobody sends without end in a day', async () => {
  const { app, ada, hook, id } = await reportForHook();
  await send(app, ada.token, id);
  await app.settled();
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
  await app.settled();
  expect((await list(app, ada.token, id)).entries[0]?.reason).toContain('More than 1000 reports in a day');
  app.clock.advance(24 * 60 * minute);
  await send(app, ada.token, id);
  await app.settled();
  expect((await list(app, ada.token, id)).entries[0]?.state).toBe('delivered');
  expect(hook.asked).toHaveLength(2);
});

test('what was sent arrives, also when its sender is no longer known', async () => {
  const { app, ada, hook, id } = await reportForHook();
  await send(app, ada.token, id);
  await app.database.db.update(deliveries).set({ requesterId: null });
  await app.settled();
  expect(hook.asked).toHaveLength(1);
});
