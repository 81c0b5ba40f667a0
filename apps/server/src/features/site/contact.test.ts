import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../test/test-app.ts';
import { contactMessages } from './table.ts';

/** A real SMTP server on loopback that keeps what it gets. */
async function startMailbox() {
  const received: { from: string; to: string[]; content: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      text(stream).then((content) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), content });
        done();
      }, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received };
}

const message = { name: 'Grace', email: 'grace@example.org', message: 'Hello <b>you</b>\n\nIt works.' };

test('a contact message is stored and mailed by SMTP to whoever is named, with the sender to reply to', async () => {
  const mailbox = await startMailbox();
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
  expect(mail?.content).toContain('Hello &lt;b&gt;you&lt;/b&gt;');
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
