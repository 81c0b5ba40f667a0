import type { ExternalPublication, MailToday, Recipient, TeamDetail } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../platform/db/columns.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { startMailServer } from '../../test/servers/mail-server.ts';
import { createTestApp, type TestApp, tokenIn } from '../../test/test-app.ts';
import { countMail } from '../mail/limits.ts';
import { mailLimits } from '../mail/table.ts';
import { publications } from '../publications/table.ts';
import { publishedReport } from '../reports/test-report.ts';
import { teamMembers } from '../teams/table.ts';
import { users } from '../users/table.ts';
import { startForFiring } from './service/start.ts';
import { reportConsents } from './table.ts';
import { agree, cells, list, minute, send, settings } from './test-deliveries.ts';

const day = 24 * 60 * minute;
const harbour = 'harbour@example.org';

/** A report of a person with a confirmed address, which goes nowhere yet. */
async function reportOf(app: TestApp) {
  const ada = await app.person();
  await app.confirm(ada.id);
  const report = await publishedReport(app, ada.token, cells);
  const { id } = report;
  const change = (...addresses: string[]) =>
    settings(app, ada.token, id, { delivery: { attachment: 'none', email: { enabled: true, addresses } } });
  return {
    ...{ ada, id, projectId: report.project.id, change },
    /** Sets them, and the questions are mailed. */
    async set(...addresses: string[]) {
      const answer = await change(...addresses);
      await app.settled();
      return answer;
    },
    async states() {
      const { body } = await app.get<ExternalPublication>(ada.token, `/v1/external_publications/${id}`);
      return Object.fromEntries(body.delivery.recipients.map(({ address, state }: Recipient) => [address, state]));
    },
    /** Delivers it and answers what came of it. */
    async delivered() {
      app.clock.advance(minute);
      await send(app, ada.token, id);
      await app.settled();
      const [newest] = (await list(app, ada.token, id)).entries;
      return {
        state: newest?.state,
        reason: newest?.reason,
        targets: Object.fromEntries(newest?.targets.map(({ address, state }) => [address, state]) ?? []),
      };
    },
  };
}

const mailsTo = (app: TestApp, address: string) => app.mails.filter(({ to }) => to === address);
const questionsTo = (app: TestApp, address: string) =>
  mailsTo(app, address).filter(({ subject }) => subject.includes('would like to send you reports'));
const answer = (app: TestApp, token: string, is_wanted: boolean) =>
  app.call('POST', `/v1/report_consents/${token}`, { body: { is_wanted } });
const oneClickOf = (mail: Mail | undefined) =>
  new URL(/^<(.+)>$/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '').pathname;
/** As a mail program does: a form, no cookie. */
const press = (app: TestApp, url: string) =>
  app.app.http.inject({
    ...{ method: 'POST', url, payload: 'List-Unsubscribe=One-Click' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

test('an account without a confirmed address sets no addresses, and sends to none that it has set', async () => {
  const app = await createTestApp();
  const { ada, id, set, delivered } = await reportOf(app);
  const confirmed = (at: Date | null) => app.db.update(users).set({ emailConfirmedAt: at }).where(eq(users.id, ada.id));
  await agree(app, ada.id, harbour);
  await confirmed(null);
  const refused = await set(harbour);
  expect(refused).toMatchObject({
    status: 422,
    body: { fields: { 'delivery.email.addresses': [expect.stringContaining('Confirm your e-mail address')] } },
  });
  await confirmed(new Date(app.clock.time));
  expect((await set(harbour)).status).toBe(200);
  await confirmed(null);
  const mails = app.mails.length;
  expect(await delivered()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('Confirm your e-mail address'),
    targets: { [harbour]: 'failed' },
  });
  // What has nothing to do with mail is still theirs to change, and so is turning it off.
  const off = { message: 'Hello', email: { enabled: false } };
  expect((await settings(app, ada.token, id, { delivery: off })).status).toBe(200);
  expect(app.mails).toHaveLength(mails);
});

test('a recipient outside of the project gets nothing but the question until they confirm by the link, once', async () => {
  const app = await createTestApp();
  const { ada, projectId, set, states, delivered } = await reportOf(app);
  const [bob, eve] = [await app.person(), await app.person()];
  for (const { id } of [bob, eve]) await app.confirm(id);
  await app.share(ada.token, projectId, bob.id, ['view']);
  const [toBob, toEve] = [bob.email ?? '', eve.email ?? ''];
  await app.deliveredMails();
  app.mails.length = 0;
  await set(harbour, toBob, toEve);
  // The people of the project are not asked; an account alone is no part in it.
  expect(app.mails.map(({ to }) => to).sort()).toEqual([harbour, toEve].sort());
  expect(await states()).toEqual({ [harbour]: 'waiting', [toBob]: 'known', [toEve]: 'waiting' });
  const [question] = questionsTo(app, harbour);
  expect(question).toMatchObject({ headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } });
  expect(await delivered()).toEqual({
    ...{ state: 'delivered', reason: null },
    targets: { [harbour]: 'asked', [toBob]: 'sent', [toEve]: 'asked' },
  });
  expect(mailsTo(app, harbour)).toHaveLength(1);

  // Programs that open links confirm nothing, nor does a token that was not sent.
  const token = tokenIn(question);
  for (let turn = 0; turn < 2; turn++)
    expect((await app.call('GET', `/v1/report_consents/${token}`)).body).toEqual({ sender: 'Ada' });
  for (const guess of [`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, token.slice(1), 'x', '%00'])
    expect((await answer(app, guess, true)).status, guess).toBeGreaterThanOrEqual(400);
  expect(await states()).toMatchObject({ [harbour]: 'waiting' });

  expect((await answer(app, token, true)).status).toBe(200);
  for (const isWanted of [true, false]) expect((await answer(app, token, isWanted)).status).toBe(410);
  expect((await app.call('GET', `/v1/report_consents/${token}`)).status).toBe(410);
  expect(await states()).toMatchObject({ [harbour]: 'confirmed', [toEve]: 'waiting' });
  expect(await delivered()).toMatchObject({ targets: { [harbour]: 'sent', [toEve]: 'asked' } });
  expect(mailsTo(app, harbour).at(-1)).toMatchObject({
    subject: 'Tides of the week - Atoll',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  });
  // The database knows no token.
  const others = tokenIn(questionsTo(app, toEve)[0]);
  const stored = await app.db.select({ tokenHash: reportConsents.tokenHash }).from(reportConsents);
  expect(stored.map(({ tokenHash }) => tokenHash).sort()).toEqual([hashSecret(others), null].sort());
});

test('who is of the project is decided when it is sent, by addresses that are proven', async () => {
  const app = await createTestApp();
  const { ada, projectId, set, states, delivered } = await reportOf(app);
  const [bob, eve] = [await app.person(), await app.person()];
  await app.confirm(bob.id);
  const grant = await app.share(ada.token, projectId, bob.id, ['view']);
  // Eve's is only claimed.
  await app.share(ada.token, projectId, eve.id, ['view']);
  const [toBob, toEve] = [bob.email ?? '', eve.email ?? ''];
  await set(toBob, toEve);
  expect(await delivered()).toMatchObject({ targets: { [toBob]: 'sent', [toEve]: 'asked' } });
  await app.call('DELETE', `/v1/notebooks/${projectId}/user_permissions/${grant.body.id}`, { token: ada.token });
  expect(await states()).toMatchObject({ [toBob]: 'waiting' });
  expect(await delivered()).toMatchObject({ state: 'failed', targets: { [toBob]: 'asked', [toEve]: 'asked' } });
  expect(questionsTo(app, toBob)).toHaveLength(1);

  // A team that the project is shared with is of it, too; consent is for one account alone.
  await app.confirm(eve.id);
  expect(await states()).toMatchObject({ [toEve]: 'known' });
  const team = await app.post<TeamDetail>(ada.token, '/v1/teams', { name: 'Readers' });
  const cat = await app.person();
  await app.confirm(cat.id);
  await app.db
    .insert(teamMembers)
    .values({ teamId: team.body.id, userId: cat.id, role: 'member', createdAt: new Date(app.clock.time) });
  const toCat = cat.email ?? '';
  await set(toBob, toCat);
  expect(await states()).toEqual({ [toBob]: 'waiting', [toCat]: 'waiting' });
  const shared = { team_id: team.body.id, permissions: ['view'] };
  expect((await app.post(ada.token, `/v1/notebooks/${projectId}/team_permissions`, shared)).status).toBe(200);
  expect(await states()).toEqual({ [toBob]: 'waiting', [toCat]: 'known' });
  expect(await delivered()).toMatchObject({ state: 'delivered', targets: { [toBob]: 'asked', [toCat]: 'sent' } });
  await answer(app, tokenIn(questionsTo(app, toBob)[0]), true);
  const other = await reportOf(app);
  await other.set(toBob);
  expect(await other.states()).toEqual({ [toBob]: 'waiting' });
  expect(await states()).toMatchObject({ [toBob]: 'confirmed' });
});

test('a recipient is asked at most once in seven days, however often they are added and the report is sent', async () => {
  const app = await createTestApp();
  const { ada, id, set, delivered } = await reportOf(app);
  for (let turn = 0; turn < 3; turn++) {
    await set(harbour.toUpperCase());
    await set();
    await set(harbour);
    await delivered();
  }
  expect(app.mails.filter(({ to }) => to.toLowerCase() === harbour)).toHaveLength(1);
  const [first] = app.mails.filter(({ to }) => to.toLowerCase() === harbour);
  app.clock.advance(7 * day - 10 * minute);
  await delivered();
  expect(mailsTo(app, harbour)).toHaveLength(0);
  app.clock.advance(10 * minute);
  // A schedule asks only those who were never asked.
  await settings(app, ada.token, id, { enabled: true });
  const theirs = app.ctx.as({ kind: 'user', userId: ada.id, isAdmin: false });
  expect(await startForFiring(theirs, id, newId())).toMatchObject({ requesterId: ada.id });
  await app.settled();
  expect((await list(app, ada.token, id)).entries[0]).toMatchObject({ trigger: 'schedule', state: 'failed' });
  expect(questionsTo(app, harbour)).toHaveLength(0);
  await delivered();
  expect(questionsTo(app, harbour)).toHaveLength(1);
  // The newest link is the one that works, for 30 days.
  expect((await answer(app, tokenIn(first), true)).status).toBe(410);
  app.clock.advance(31 * day);
  expect((await answer(app, tokenIn(questionsTo(app, harbour)[0]), true)).status).toBe(410);
});

test('a mail server that is away loses no question', async () => {
  let isDown = true;
  const mail = await startMailServer(() => (isDown ? Object.assign(new Error('Later'), { responseCode: 451 }) : null));
  const app = await createTestApp({ env: { SMTP_URL: mail.url }, useConfiguredMail: true });
  const { set, delivered } = await reportOf(app);
  await set(harbour);
  isDown = false;
  await delivered();
  const questions = () => mail.received.filter(({ to }) => to.includes(harbour));
  expect(questions()).toHaveLength(1);
  app.clock.advance(10 * minute);
  await app.settled();
  expect(questions()).toHaveLength(1);
});

test('a refusal is final for the account, for all of its reports, however often the address is added again', async () => {
  const app = await createTestApp();
  const { ada, set, states, delivered } = await reportOf(app);
  await set(harbour);
  expect((await answer(app, tokenIn(questionsTo(app, harbour)[0]), false)).status).toBe(200);
  const count = mailsTo(app, harbour).length;
  await set();
  app.clock.advance(30 * day);
  await set('Harbour@Example.org');
  expect(await states()).toEqual({ 'Harbour@Example.org': 'refused' });
  expect(await delivered()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('refused'),
    targets: { 'Harbour@Example.org': 'refused' },
  });
  const other = await publishedReport(app, ada.token, cells);
  const email = { enabled: true, addresses: [harbour] };
  await settings(app, ada.token, other.id, { delivery: { attachment: 'none', email } });
  await send(app, ada.token, other.id);
  await app.settled();
  expect(app.mails.filter(({ to }) => to.toLowerCase() === harbour)).toHaveLength(count);
});

test('a report is stopped with one click by a mail program, and all of an account on the page', async () => {
  const app = await createTestApp();
  const { ada, id, projectId, set, states, delivered } = await reportOf(app);
  await agree(app, ada.id, harbour, 'pier@example.org');
  await set(harbour, 'pier@example.org');
  await delivered();
  const url = oneClickOf(mailsTo(app, harbour).at(-1));
  const opened = await app.call('GET', url);
  expect(opened).toMatchObject({ status: 303, headers: { location: expect.stringContaining('/unsubscribe#report=') } });
  expect(await states()).toMatchObject({ [harbour]: 'confirmed' });
  expect((await press(app, url)).statusCode).toBe(200);
  expect(await states()).toMatchObject({ [harbour]: 'refused', 'pier@example.org': 'confirmed' });
  const all = oneClickOf(mailsTo(app, 'pier@example.org').at(-1));
  expect((await app.call('POST', all, { body: { is_whole_account: true } })).status).toBe(200);
  const other = await publishedReport(app, ada.token, cells);
  const email = { enabled: true, addresses: [harbour, 'pier@example.org'] };
  const answered = await settings(app, ada.token, other.id, { delivery: { email } });
  // The first stopped one report, the other all of them.
  expect(answered.body.delivery.recipients.map(({ state }) => state)).toEqual(['confirmed', 'refused']);
  expect((await app.call('GET', '/v1/report_unsubscribe/nonsense')).status).toBe(410);

  // To be added to the project overrules no refusal; to subscribe does.
  const bob = await app.person();
  const toBob = bob.email ?? '';
  await app.confirm(bob.id);
  await app.share(ada.token, projectId, bob.id, ['view']);
  await set(toBob);
  await delivered();
  await app.call('POST', oneClickOf(mailsTo(app, toBob).at(-1)), { body: { is_whole_account: true } });
  expect(await states()).toEqual({ [toBob]: 'refused' });
  await app.post(bob.token, `/v1/external_publications/${id}/subscription`);
  expect(await states()).toEqual({ [toBob]: 'known' });
  expect(await delivered()).toMatchObject({ state: 'delivered', targets: { [toBob]: 'sent' } });
});

test('names in what is mailed are one short line, start no header and are no markup', async () => {
  const mail = await startMailServer();
  const app = await createTestApp({ env: { SMTP_URL: mail.url }, useConfiguredMail: true });
  const { ada, id, projectId, set, delivered } = await reportOf(app);
  const evil = `<b>x\r\nBcc: victim@example.org\r\n\r\n\u202E${'long '.repeat(60)}`;
  await app.db.update(users).set({ firstName: evil }).where(eq(users.id, ada.id));
  await app.db.update(publications).set({ title: evil }).where(eq(publications.id, id));
  await agree(app, ada.id, 'pier@example.org');
  mail.received.length = 0;
  await set(harbour, 'pier@example.org');
  await delivered();
  await app.post(ada.token, `/v1/notebooks/${projectId}/invites`, { email: 'new@example.org', permissions: ['view'] });
  await app.post(ada.token, '/v1/invites', { email: 'friend@example.org' });
  await app.settled();
  expect(mail.received.map(({ to }) => to.join()).sort()).toEqual(
    ['friend@example.org', harbour, 'new@example.org', 'pier@example.org'].sort(),
  );
  for (const { to, content } of mail.received) {
    const [head = ''] = content.split('\r\n\r\n');
    expect(head, to.join()).not.toMatch(/^bcc:/im);
    expect(head.match(/^subject:/gim), to.join()).toHaveLength(1);
    const body = content.slice(head.length).replace(/=\r?\n/g, '');
    const html = body.slice(body.indexOf('<!doctype'));
    expect(html, to.join()).toContain('&lt;b&gt;x Bcc:');
    expect(html, to.join()).not.toMatch(/<b>|\u202E|=E2=80=AE/);
    expect(body.split('long ').length, to.join()).toBeLessThan(60);
  }
});

const setLimits = (app: TestApp, limits: object) =>
  app.db
    .insert(mailLimits)
    .values({ id: 'only', perAccount: 200, perRecipient: 50, perInstallation: 5_000, ...limits });

test('many accounts together cannot fill the mailbox of one person', async () => {
  const app = await createTestApp();
  await setLimits(app, { perRecipient: 3 });
  const reports = await Promise.all(Array.from({ length: 4 }, () => reportOf(app)));
  for (const { set } of reports) await set(harbour);
  expect(questionsTo(app, harbour)).toHaveLength(3);
  const last = reports.at(-1);
  // It is not lost: asked again when there is room.
  expect(await last?.delivered()).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('as much mail as is allowed'),
  });
  const { token } = await app.person();
  const project = await app.project(token);
  const team = await app.post<TeamDetail>(token, '/v1/teams', { name: 'Tides' });
  const refused = [
    await app.post(token, `/v1/notebooks/${project.id}/invites`, { email: harbour, permissions: ['view'] }),
    await app.post(token, `/v1/teams/${team.body.id}/invites`, { email: harbour, role: 'member' }),
    await app.post(token, '/v1/invites', { email: harbour }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect(refused.map(({ body }) => body)).toMatchObject(
    Array(3).fill({ message: expect.stringContaining('Try again tomorrow') }),
  );
  await app.settled();
  expect(mailsTo(app, harbour)).toHaveLength(3);
  // A person of the project is no exception.
  const [first] = reports;
  if (!first) throw new Error('no report');
  const bob = await app.person();
  await app.confirm(bob.id);
  await app.share(first.ada.token, first.projectId, bob.id, ['view']);
  await first.set(bob.email ?? '');
  for (let turn = 0; turn < 3; turn++) expect(await first.delivered()).toMatchObject({ state: 'delivered' });
  expect(await first.delivered()).toMatchObject({ state: 'failed' });
  app.clock.advance(day);
  expect(await first.delivered()).toMatchObject({ state: 'delivered' });
  await last?.delivered();
  expect(questionsTo(app, harbour)).toHaveLength(4);
});

test('an admin sees and sets how much is sent in a day, and invitations count with reports', async () => {
  const app = await createTestApp();
  const { token } = await app.admin();
  const today = async () => (await app.get<MailToday>(token, '/v1/admin/mail_limits')).body;
  expect(await today()).toMatchObject({ sent: 0, busiest_recipient: 0, accounts: [] });
  const change = (body: object) => app.patch(token, '/v1/admin/mail_limits', body);
  expect((await change({ per_account: -1 })).status).toBe(422);
  expect((await change({ per_account: 3 })).body).toMatchObject({ per_account: 3, per_recipient: 50 });
  const { ada, set, delivered } = await reportOf(app);
  await agree(app, ada.id, 'pier@example.org');
  const invited = () => app.post(ada.token, '/v1/invites', { email: harbour });
  await set(harbour, 'pier@example.org');
  await delivered();
  expect((await invited()).status).toBe(200);
  expect((await invited()).status).toBe(429);
  expect(await delivered()).toMatchObject({ targets: { [harbour]: 'asked', 'pier@example.org': 'failed' } });
  expect(await today()).toMatchObject({
    ...{ limits: { per_account: 3 }, sent: 3, busiest_recipient: 2 },
    accounts: [{ person: { id: ada.id }, sent: 3 }],
  });
  await change({ per_account: 200, per_installation: 0 });
  expect((await invited()).status).toBe(429);
  const { body } = await app.get<{ entries: object[] }>(token, '/v1/admin/action_logs');
  expect(body.entries[0]).toMatchObject({ action: 'mail_limits.updated', after: { per_installation: 0 } });
  app.clock.advance(day);
  expect(await today()).toMatchObject({ sent: 0, accounts: [] });
});

test('two servers together send no more than the limit', async () => {
  const app = await createTestApp();
  await setLimits(app, { perAccount: 7, perRecipient: 3 });
  const other = await createTestApp({ beside: app });
  const [ada, bob] = [await app.person(), await app.person()];
  const count = ({ ctx }: TestApp, senderId: string, address: string) =>
    ctx
      .write((write) => countMail(ctx, write, { senderId, address }))
      .then(
        () => 1,
        () => 0,
      );
  const taken = await Promise.all(
    Array.from({ length: 40 }, (_, each) =>
      count(each % 2 ? app : other, each % 4 < 2 ? ada.id : bob.id, `a${each % 5}@example.org`),
    ),
  );
  // Five addresses with three each are more than two accounts with seven each.
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(14);
});
