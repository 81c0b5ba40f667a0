import type { UndeliveredMail } from '@atoll/contract';
import { expect, test } from 'vitest';
import { startMailServer } from '../../test/servers/mail-server.ts';
import { createTestApp } from '../../test/test-app.ts';
import { openPdf } from '../reports/test-pdf.ts';
import { createReportApp, publishedReport } from '../reports/test-report.ts';
import { telegramChats } from '../telegram/table.ts';
import {
  agree,
  cells,
  type List,
  list,
  minute,
  type Reply,
  reportForHook,
  send,
  settings,
  startTarget,
} from './test-deliveries.ts';

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
  const ada = await app.person();
  const { id, title } = await publishedReport(app, ada.token, cells);
  await app.database.db.insert(telegramChats).values({
    ...{ userId: ada.id, chatId: '-10012345', title: 'Tides', kind: 'channel' },
    createdAt: new Date(app.clock.time),
  });
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
  await app.settled();
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
  await app.settled();
  expect(slack.asked.at(-1)?.path).toBe('/chat.postMessage');
  expect(telegram.asked.at(-1)?.path).toBe('/bot12345:token/sendMessage');
});

test('a target that answers 500 or 429 is tried again, later and not for ever; one that answers nothing is not', async () => {
  const answers: Reply[] = [{ status: 500 }, { status: 429, headers: { 'retry-after': '600' } }, {}];
  const { app, ada, hook, id } = await reportForHook(() => answers.shift() ?? { status: 503 });
  await send(app, ada.token, id);
  await app.settled();
  expect(hook.asked).toHaveLength(1);
  app.clock.advance(2 * minute);
  await app.settled();
  expect(hook.asked).toHaveLength(2);
  app.clock.advance(9 * minute);
  await app.settled();
  expect(hook.asked).toHaveLength(2);
  app.clock.advance(2 * minute);
  await app.settled();
  expect((await list(app, ada.token, id)).entries).toMatchObject([{ state: 'delivered' }]);
  expect(new Set(hook.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);

  await send(app, ada.token, id);
  for (let turn = 0; turn < 12; turn++) {
    await app.settled();
    app.clock.advance(20 * minute);
  }
  expect(hook.asked).toHaveLength(3 + 5);
  const [given] = (await list(app, ada.token, id)).entries;
  expect(given).toMatchObject({ state: 'failed', targets: [{ state: 'failed' }] });
  expect(given?.reason).toContain('It was tried 5 times.');

  const other = await reportForHook(() => 'nothing');
  await send(other.app, other.ada.token, other.id);
  for (let turn = 0; turn < 3; turn++) {
    await other.app.settled();
    other.app.clock.advance(20 * minute);
  }
  expect(other.hook.asked).toHaveLength(1);
  expect((await list(other.app, other.ada.token, other.id)).entries).toMatchObject([
    { state: 'failed', targets: [{ state: 'unconfirmed' }] },
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
  await agree(app, ada.id, 'gone@example.org', 'here@example.org');
  await settings(app, ada.token, id, {
    delivery: { attachment: 'none', email: { enabled: true, addresses: ['gone@example.org', 'here@example.org'] } },
  });
  await send(app, ada.token, id);
  await app.settled();
  isDown = false;
  app.clock.advance(2 * minute);
  await app.settled();
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
  await app.settled();
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
    `http://[::7f00:1]:${port}`,
    `http://[64:ff9b::7f00:1]:${port}`,
    `http://[64:ff9b:1::7f00:1]:${port}`,
    `http://[2002:7f00:1::]:${port}`,
    `http://2130706433:${port}`,
    `http://0x7f.1:${port}`,
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1',
    'http://[fd00::1]',
  ]) {
    await settings(app, ada.token, id, { delivery: { attachment: 'none', webhook: { enabled: true, url } } });
    await send(app, ada.token, id);
    await app.settled();
    const [newest] = (await list(app, ada.token, id)).entries;
    expect(newest, url).toMatchObject({ state: 'failed' });
    expect(newest?.reason, url).toContain('private network');
    app.clock.advance(minute);
  }
  expect(hook.asked).toEqual([]);
});
