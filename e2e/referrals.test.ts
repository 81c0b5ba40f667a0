import { violationsOf } from './axe.ts';
import { adminCredentials, call, expect, newPerson, password, test } from './fixtures.ts';

test('a person who signs up by a link is seen by who gave it, both get units, and a trial is told with its plan', async ({
  page,
  stranger,
  baseURL,
  playwright,
  server,
  signedUp: _,
}) => {
  await page.goto('/referrals/dashboard');
  await expect(page.getByRole('img', { name: 'QR code of your link' })).toBeVisible();
  await expect(page.getByText('No one yet.')).toBeVisible();
  const link = await page.getByRole('textbox', { name: 'Your link' }).inputValue();
  expect(link).toContain('/sign-up?referral_code=');
  expect(await violationsOf(page)).toEqual([]);

  const admin = await playwright.request.newContext({ baseURL });
  await call(admin, 'POST', '/sign_in', adminCredentials);
  const { entries: plans } = await call(admin, 'GET', '/rate_plans');
  const pro = plans.find(({ title }: { title: string }) => title === 'Pro');
  const code = newPerson().userName;
  await call(admin, 'POST', '/admin/referrals', { code, rate_plan_id: pro.id, trial_days: 14 });
  await admin.dispose();
  const signedUp = newPerson();
  const pricing = await stranger();
  const account = { email: signedUp.email, password, user_name: signedUp.userName, referral_code: code };
  await call(pricing.request, 'POST', '/sign_up', account);
  await pricing.goto((await server.mailTo(signedUp.email)).link);
  await pricing.getByRole('button', { name: 'Confirm' }).click();
  await expect(pricing.getByRole('button', { name: 'Confirm' })).toBeHidden();
  await pricing.goto('/pricing');
  await expect(pricing.getByText(/^Your trial of Pro ends on .+ Choose a plan to keep it/)).toBeVisible();
  const own = pricing.getByRole('list', { name: 'Plans' }).getByRole('listitem', { name: 'Pro' });
  await expect(own.getByText('Your trial')).toBeVisible();
  await expect(own.getByRole('button', { name: 'Choose Pro' })).toBeEnabled();
  expect(await violationsOf(pricing)).toEqual([]);

  const other = await stranger();
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
});
