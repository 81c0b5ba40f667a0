import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamDetail } from '@atoll/contract';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Mail } from '../../platform/mail/mailer.ts';
import { createTestApp, type TestApp, testPassword } from '../../test/test-app.ts';
import { planDigests } from '../notifications/service/digest.ts';
import { users } from '../users/table.ts';

const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const message = `${markup}\n[here](javascript:alert(3)) \u202Egro.elpmaxe`;

/** Every mail there is, with words by somebody who means harm. */
async function allMails(app: TestApp): Promise<Mail[]> {
  const [ada, bob] = [await app.person('ada'), await app.person('bob')];
  const send = async (path: string, body: object, { token } = ada, method = 'POST') =>
    expect(await app.call(method, path, { token, body }), path).toMatchObject({ status: 200 });
  await send('/v1/settings', { first_name: markup, last_name: '"><b>x' }, ada, 'PATCH');
  await app.database.db
    .update(users)
    .set({ emailConfirmedAt: new Date(app.clock.time) })
    .where(eq(users.id, bob.id));
  const project = await app.project(ada.token, { name: `Tides ${markup}` });
  const team = await app.call<TeamDetail>('POST', '/v1/teams', {
    token: ada.token,
    body: { name: '<i>"Tides" & rain' },
  });
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
      "3 things are new",
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
  for (const { subject, html, text, headers } of mails) {
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
    // What comes by itself can be stopped by one click, without signing in (RFC 8058).
    const isDigest = text.includes('while you were away');
    expect(headers?.['List-Unsubscribe-Post'], subject).toBe(isDigest ? 'List-Unsubscribe=One-Click' : undefined);
    if (isDigest) expect(headers?.['List-Unsubscribe']).toMatch(/^<http:\/\/localhost:4000\/api\/.+>$/);
  }
});
