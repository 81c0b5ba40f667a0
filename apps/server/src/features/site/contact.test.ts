import { expect, test } from 'vitest';
import { startMailServer } from '../../test/servers/mail-server.ts';
import { createTestApp } from '../../test/test-app.ts';
import { contactMessages } from './table.ts';

const message = { name: 'Grace', email: 'grace@example.org', message: 'Hello <b>you</b>\n\nIt works.' };

test('a contact message is stored and mailed by SMTP to whoever is named, with the sender to reply to', async () => {
  const mailbox = await startMailServer();
  const { call, app, database } = await createTestApp({
    env: { SMTP_URL: mailbox.url, SMTP_FROM: 'desk@example.org', ATOLL_CONTACT_EMAIL: 'owner@example.org' },
    useConfiguredMail: true,
  });
  expect((await call('POST', '/v1/contact_us', { body: message })).status).toBe(200);
  expect(await database.db.select().from(contactMessages)).toMatchObject([message]);
  await app.relay.settled();
  expect(mailbox.received).toHaveLength(1);
  const [mail] = mailbox.received;
  expect(mail).toMatchObject({ from: 'desk@example.org', to: ['owner@example.org'] });
  expect(mail?.content).toMatch(/^Reply-To: grace@example\.org/m);
  expect(mail?.content).toMatch(/^Content-Type: text\/plain/m);
  expect(mail?.content).toMatch(/^Content-Type: text\/html/m);
  expect(mail?.content.replace(/=\r?\n/g, '')).toContain('Hello &lt;b&gt;you&lt;/b&gt;');
});

test('a mail server that is away loses no message', async () => {
  const { call, app, database, clock, mails } = await createTestApp({
    env: { ATOLL_CONTACT_EMAIL: 'owner@example.org' },
  });
  const { mail } = app.system();
  const send = mail.send;
  mail.send = () => Promise.reject(new Error('connection refused'));
  await call('POST', '/v1/contact_us', { body: message });
  await app.relay.settled();
  expect(mails).toEqual([]);
  expect(await database.db.select().from(contactMessages)).toHaveLength(1);
  mail.send = send;
  clock.advance(60_000);
  app.relay.nudge();
  await app.relay.settled();
  expect(mails).toMatchObject([{ to: 'owner@example.org', replyTo: 'grace@example.org' }]);
});

test('feedback, reports of problems and requests for data are stored and mailed, with a name only where it is allowed', async () => {
  const { call, person, deliveredMails, database, guest } = await createTestApp({
    env: { ATOLL_CONTACT_EMAIL: 'owner@example.org' },
  });
  const { token } = await person('grace');
  const send = (path: string, body: object, from = token) => call('POST', path, { token: from, body });
  expect((await send('/v1/feedback', { message: 'Nice' })).status).toBe(200);
  expect((await send('/v1/feedback', { message: 'Nice!', allow_contact: true })).status).toBe(200);
  expect((await send('/v1/issue_report', { message: 'Broken', page: '/projects' }, (await guest()).token)).status).toBe(
    200,
  );
  expect((await send('/v1/data_request', { message: 'All of it' })).status).toBe(200);
  expect((await send('/v1/feedback', { message: ' ' })).status).toBe(422);
  expect(await database.db.select().from(contactMessages)).toMatchObject([
    { kind: 'feedback', name: '', email: '' },
    { kind: 'feedback', email: 'grace@example.org' },
    { kind: 'issue_report', name: '', page: '/projects' },
    { kind: 'data_request', email: 'grace@example.org' },
  ]);
  const mails = (await deliveredMails()).filter(({ to }) => to === 'owner@example.org');
  expect(mails.map(({ replyTo }) => replyTo)).toEqual([undefined, 'grace@example.org', undefined, 'grace@example.org']);
});

test('a friend is invited by mail, and nobody learns who has an account', async () => {
  const { call, person, deliveredMails } = await createTestApp();
  const ada = await person('ada');
  await person('bob');
  await deliveredMails();
  const invite = (email: string, more = {}) =>
    call('POST', '/v1/invites', { token: ada.token, body: { email, invitation_message: 'Come!', ...more } });
  expect((await invite('Friend@Example.org')).status).toBe(200);
  expect((await invite('bob@example.org')).status).toBe(200);
  expect((await invite('x@example.org', { referral_code: 'NOTMINE' })).status).toBe(422);
  const mails = (await deliveredMails()).filter(({ subject }) => subject.includes('invites you'));
  expect(mails.map(({ to }) => to)).toEqual(['friend@example.org']);
  expect(mails[0]?.text).toContain(`referral_code=${ada.referral_code}`);
});

test('product events come by HTTP too, and there are tips', async () => {
  const { call, person } = await createTestApp();
  const { token } = await person();
  const body = { events: [{ name: 'page.view', at: '2026-11-15T12:00:00.000Z' }] };
  for (const path of ['/v1/events', '/v1/tracking'])
    expect((await call('POST', path, { token, body })).body).toEqual({ stored: 1 });
  expect((await call<{ entries: object[] }>('GET', '/v1/tips')).body.entries.length).toBeGreaterThan(2);
});
