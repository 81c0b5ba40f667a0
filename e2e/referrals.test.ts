import { violationsOf } from './axe.ts';
import { expect, newPerson, password, test } from './fixtures.ts';

test('a person who signs up by a link is seen by who gave it, and both get units', async ({
  page,
  browser,
  baseURL,
  server,
  signedUp: _,
}) => {
  await page.goto('/referrals/dashboard');
  await expect(page.getByRole('img', { name: 'QR code of your link' })).toBeVisible();
  await expect(page.getByText('No one yet.')).toBeVisible();
  const link = await page.getByRole('textbox', { name: 'Your link' }).inputValue();
  expect(link).toContain('/sign-up?referral_code=');
  expect(await violationsOf(page)).toEqual([]);

  const other = await (await browser.newContext({ baseURL })).newPage();
  // The link is opened, and the account created later and elsewhere on the site.
  await other.goto(link);
  await expect(other.getByRole('button', { name: 'Create account' })).toBeVisible();
  await other.goto('/sign-up');
  const { email, userName } = newPerson();
  await other.getByLabel('E-mail').fill(email);
  await other.getByLabel('User name').fill(userName);
  await other.getByRole('textbox', { name: 'Password' }).fill(password);
  await other.getByRole('button', { name: 'Create account' }).click();
  const people = page.getByRole('listitem').filter({ hasText: userName });
  await expect(people).toContainText('Waits for the confirmed address');
  await other.goto((await server.mailTo(email)).link);
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(people).toContainText('+100 units');
  await other.goto('/wallet');
  await expect(other.getByRole('region', { name: 'Balance' })).toContainText('100 units');
  await other.context().close();
});
