import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamDetail } from '@atoll/contract';
import { expect, test } from 'vitest';
import type { Mail } from '../../platform/mail/mailer.ts';
import { createTestApp, type TestApp, testPassword, tokenIn } from '../../test/test-app.ts';
import { planDigests } from '../notifications/service/digest.ts';

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const message = `${markup}\n[here](javascript:alert(3)) \u202Egro.elpmaxe`;

/** Every mail there is, with words by somebody who means harm. */
async function allMails(app: TestApp): Promise<Mail[]> {
  const [ada, bob] = [await app.person('ada'), await app.person('bob')];
  const send = async (path: string, body: object, { token } = ada, method = 'POST') =>
    expect(await app.call(method, path, { token, body }), path).toMatchObject({ status: 200 });
  await send('/v1/settings', { first_name: markup, last_name: '"><b>x' }, ada, 'PATCH');
  await app.confirm(bob.id);
  const project = await app.project(ada.token, { name: `Tides ${markup}` });
  const team = await app.post<TeamDetail>(ada.token, '/v1/teams', { name: '<i>"Tides" & rain' });
  const to = 'new@example.org';
  await send(`/v1/notebooks/${project.id}/user_permissions`, { user_id: bob.id, permissions: ['view'] });
  await send(`/v1/notebooks/${project.id}/comments`, { content: `@bob ${message}` });
  await send(`/v1/users/${bob.id}/follow`, {});
  await send(`/v1/notebooks/${project.id}/invites`, { email: to, permissions: ['view'], message });
  await send(`/v1/teams/${team.body.id}/invites`, { email: to, role: 'member', message });
  await send(`/v1/teams/${team.body.id}/invites`, { email: 'bob@example.org', role: 'member', message });
  await send('/v1/invites', { email: to, invitation_message: message });
  await send('/v1/sign_in/link', { email: 'bob@example.org' }, bob);
  await send('/v1/password_reset', { email: 'bob@example.org' }, bob);
  await send('/v1/settings/credentials', { password: `${testPassword}!` }, bob, 'PATCH');
  await send('/v1/feedback', { message, allow_contact: true });
  await app.deliveredMails();
  app.clock.advance(25 * 60 * 60_000);
  await planDigests(app.app.system());
  await app.app.jobs.settled();
  return app.mails;
}

/** The addresses of the web app, from the files that are its pages. */
const pages = readdirSync(join(import.meta.dirname, '../../../../web/src/routes'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => file.replace(/^_\w+\//, '').replace(/(^|\.)index\.tsx$|\.tsx$/, ''))
  .map((path) => new RegExp(`^/${path.replaceAll('.', '/').replace(/\$\w+/g, '[^/]+')}$`));

const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

test('every mail is themed, readable as plain text, and leads to pages that are there', async () => {
  const app = await createTestApp({ env: { ATOLL_CONTACT_EMAIL: 'team@example.org' } });
  const mails = await allMails(app);
  const subjects = new Set(mails.map(({ subject }) => subject.replace(/ - Atoll$/, '')));
  expect([...subjects].sort()).toMatchInlineSnapshot(`
    [
      "3 new notifications",
      "<img src=x onerror=alert(1)><script>alert(2)</script> "><b>x invites you",
      "Confirm your e-mail address",
      "Feedback from <img src=x onerror=alert(1)><script>alert(2)</script> "><b>x",
      "Set a new password",
      "You are invited to the team “<i>"Tides" & rain”",
      "Your sign-in details changed",
      "Your sign-in link",
      "“Tides <img src=x onerror=alert(1)><script>alert(2)</script>” is shared with you",
    ]
  `);
  for (const { subject, html, text } of mails) {
    expect(subject).toMatch(/^[^\r\n]* - Atoll$/);
    expect(text.length, subject).toBeGreaterThan(40);
    expect(text, subject).not.toContain('undefined');
    expect(html, subject).not.toMatch(/<(img|script|b|i)\b|undefined|\[object/);
    for (const link of linksOf(html)) {
      const { origin, pathname } = new URL(link);
      expect(origin, subject).toBe('http://localhost:4000');
      expect(
        pages.some((page) => page.test(pathname)),
        `${subject}: ${pathname}`,
      ).toBe(true);
      expect(text, `${subject} has the link as text`).toContain(link);
    }
  }
});

/** About signing in, which is asked for or a warning; and what visitors write to whoever runs the product. */
const alwaysSent = [
  /^Confirm your e-mail address - /,
  /^Feedback from /,
  /^Set a new password - /,
  /^Your sign-in details changed - /,
  /^Your sign-in link - /,
];

const linksIn = ({ headers, text }: Mail) => ({
  oneClick: /^<(http:\/\/localhost:4000\/api\/.+)>$/.exec(headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '',
  page: /No more mail like this: (\S+)/.exec(text)?.[1] ?? '',
});

test('every mail that was not asked for can be stopped by one click, without signing in (RFC 8058)', async () => {
  const app = await createTestApp({ env: { ATOLL_CONTACT_EMAIL: 'team@example.org' } });
  for (const mail of await allMails(app)) {
    const { oneClick, page } = linksIn(mail);
    if (alwaysSent.some((subject) => subject.test(mail.subject))) {
      expect(mail.headers, mail.subject).toBeUndefined();
      expect(page, mail.subject).toBe('');
      continue;
    }
    expect(mail.headers?.['List-Unsubscribe-Post'], mail.subject).toBe('List-Unsubscribe=One-Click');
    expect(linksOf(mail.html), mail.subject).toContain(page);
    expect(page.split('#token=')[1], mail.subject).toBe(oneClick.split('/').at(-1));
    // A scanner that opens the address changes nothing; a person who does comes to the page.
    const opened = await app.call('GET', new URL(oneClick).pathname);
    expect({ status: opened.status, location: opened.headers.location }, mail.subject).toEqual({
      status: 303,
      location: page,
    });
    const choice = () => app.call('GET', `${new URL(oneClick).pathname}/choice`);
    const address = mail.to.replace(/^(.)[^@]*/, '$1…');
    expect((await choice()).body, mail.subject).toEqual({ address, is_refused: false });
    expect(await press(app, oneClick), mail.subject).toBe(200);
    expect((await choice()).body, mail.subject).toEqual({ address, is_refused: true });
    expect((await app.call('DELETE', new URL(oneClick).pathname)).status, mail.subject).toBe(200);
  }
});

/** As a mail program does: a form, no cookie. */
async function press(app: TestApp, address: string): Promise<number> {
  const answer = await app.app.http.inject({
    method: 'POST',
    url: new URL(address).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  return answer.statusCode;
}

/** Whatever is sent to an address by somebody else, each thing once more. */
async function inviteAgain(app: TestApp, token: string, email: string): Promise<number[]> {
  const project = await app.project(token);
  const team = await app.call<TeamDetail>('POST', '/v1/teams', { token, body: { name: `Tides ${project.id}` } });
  const answers = [
    await app.call('POST', `/v1/notebooks/${project.id}/invites`, { token, body: { email, permissions: ['view'] } }),
    await app.call('POST', `/v1/teams/${team.body.id}/invites`, { token, body: { email, role: 'member' } }),
    await app.call('POST', '/v1/invites', { token, body: { email } }),
  ];
  await app.deliveredMails();
  return answers.map(({ status }) => status);
}

test('an address that refused gets no more, in any spelling, until that is taken back; what was meant for it waits', async () => {
  const app = await createTestApp();
  const { token } = await app.person('ada');
  const to = (address: string) => app.mails.filter((mail) => mail.to.toLowerCase() === address);
  expect(await inviteAgain(app, token, 'New@Example.org')).toEqual([200, 200, 200]);
  expect(to('new@example.org')).toHaveLength(3);
  const { oneClick } = linksIn(to('new@example.org')[0] as Mail);
  const path = new URL(oneClick).pathname;
  expect(await press(app, oneClick)).toBe(200);
  expect(await press(app, oneClick), 'again is the same').toBe(200);
  // The inviter gets the same answers as before.
  expect(await inviteAgain(app, token, 'new@example.org')).toEqual([200, 200, 200]);
  expect(await inviteAgain(app, token, 'NEW@EXAMPLE.ORG')).toEqual([200, 200, 200]);
  expect(to('new@example.org')).toHaveLength(3);
  expect(await inviteAgain(app, token, 'another@example.org')).toEqual([200, 200, 200]);
  expect(to('another@example.org')).toHaveLength(3);

  // Somebody who only claims the address learns nothing of the choice, and cannot undo it.
  const claim = { email: 'new@example.org', password: testPassword, user_name: 'newcomer', first_name: 'N' };
  const claimed = await app.call<{ token: string }>('POST', '/v1/sign_up', { body: claim });
  const preferences = async (session: string) =>
    (await app.call<{ email_notifications: boolean }>('GET', '/v1/preferences', { token: session })).body;
  expect(await preferences(claimed.body.token)).toMatchObject({ email_notifications: true });
  const own = { token: claimed.body.token, body: { email_notifications: true } };
  await app.call('PATCH', '/v1/preferences', own);
  expect((await app.call('GET', `${path}/choice`)).body).toMatchObject({ is_refused: true });

  // Mail about signing in comes in any case; whoever proves the address gets what waited for it, and the choice is theirs.
  await app.call('POST', '/v1/sign_in/link', { body: { email: 'new@example.org' } });
  const link = (await app.deliveredMails()).findLast(({ subject }) => subject.startsWith('Your sign-in link'));
  const signedIn = await app.call<{ session: { token: string } }>('POST', '/v1/sign_in/link/redeem', {
    body: { token: tokenIn(link) },
  });
  await app.deliveredMails();
  const session = signedIn.body.session.token;
  const shared = await app.get<{ total: number }>(session, '/v1/notebooks', { mode: 'shared' });
  expect(shared.body.total).toBe(3);
  expect(await preferences(session)).toMatchObject({ email_notifications: false });

  const before = to('new@example.org').length;
  await app.call('PATCH', '/v1/preferences', { ...own, token: session });
  expect((await app.call('GET', `${path}/choice`)).body).toMatchObject({ is_refused: false });
  await inviteAgain(app, token, 'new@example.org');
  expect(to('new@example.org').length).toBeGreaterThan(before);

  // Taken back with the link of the mail, the account's preference follows.
  await press(app, oneClick);
  expect(await preferences(session)).toMatchObject({ email_notifications: false });
  expect((await app.call('DELETE', path)).status).toBe(200);
  expect(await preferences(session)).toMatchObject({ email_notifications: true });
});

test('a link that is not ours changes nothing', async () => {
  const app = await createTestApp();
  const { token } = await app.person('ada');
  await inviteAgain(app, token, 'new@example.org');
  const right =
    linksIn(app.mails.at(-1) as Mail)
      .oneClick.split('/')
      .at(-1) ?? '';
  const middle = right[40] === 'A' ? 'B' : 'A';
  for (const wrong of ['x', `${right.slice(0, 40)}${middle}${right.slice(41)}`, right.slice(0, -4), 'x'.repeat(400)]) {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/choice'],
      ['POST', ''],
      ['DELETE', ''],
    ] as const)
      expect((await app.call(method, `/v1/unsubscribe/${wrong}${path}`)).status, `${method} ${wrong}`).toBe(410);
  }
  expect((await app.call('POST', `/v1/unsubscribe/${'x'.repeat(501)}`)).status).toBeGreaterThanOrEqual(400);
});
