import { api, call, expect, newPerson, password, test } from './fixtures.ts';
import { onePixel } from './notebook-page.ts';

test('the profile is edited, with a picture, and is there after a reload', async ({ page, signedUp: _ }) => {
  await page.goto('/profile');
  await page.getByLabel('First name').fill('Augusta');
  await page.getByLabel('Headline').fill('Notes on the engine');
  await page.getByLabel(/Website/).fill('https://ada.example');
  await page.getByRole('button', { name: /Save/ }).click();
  await expect(page.getByText('Profile saved.')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: onePixel });
  await expect(page.getByText('Picture saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Augusta');
  await expect(page.getByLabel('Headline')).toHaveValue('Notes on the engine');
  await expect(page.getByRole('button', { name: 'Augusta Lovelace, account menu' }).locator('img')).toBeVisible();

  // A link that is no web address is refused at its field.
  await page.getByLabel(/Website/).fill('javascript:alert(1)');
  await page.getByLabel('Headline').focus();
  await page.getByRole('button', { name: /Save/ }).click();
  await expect(page.getByLabel(/Website/)).toHaveAttribute('aria-invalid', 'true');
});

test('an API key is shown once, works, is revoked, and takes saying who one is; a secret is never shown', async ({
  page,
  request,
  signedUp: _,
}) => {
  await page.goto('/profile?section=keys');
  await page.getByLabel('Name').fill('Nightly');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.getByText(/^ak_[0-9a-f]{70}$/).textContent()) ?? '';
  const settings = () => request.get(`${api}/settings`, { headers: { 'x-api-key': key } });
  expect((await settings()).status()).toBe(200);
  await page.reload();
  await expect(page.getByRole('list', { name: 'API keys' })).toContainText('Nightly');
  await expect(page.getByText(key)).toBeHidden();
  await page.getByRole('button', { name: 'Revoke Nightly' }).click();
  await expect(page.getByRole('list', { name: 'API keys' })).toBeHidden();
  expect((await settings()).status()).toBe(401);

  // A sensitive act asks again who is there, and then goes on.
  let isStale = true;
  await page.route('**/api/atoll/v1/me/api_keys', (route) =>
    route.request().method() === 'POST' && isStale
      ? route.fulfill({
          status: 403,
          json: {
            ...{ message: 'Confirm your identity.', status: 403, code: 'forbidden', fields: {} },
            details: { reason: 'reauthentication_required' },
          },
        })
      : route.continue(),
  );
  await page.getByLabel('Name').fill('Careful');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
  isStale = false;
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^ak_[0-9a-f]{70}$/)).toBeVisible();

  // A secret is kept, changed and forgotten.
  await page.goto('/profile?section=secrets');
  await page.getByLabel('Name').fill('1bad');
  await page.getByLabel('Value', { exact: true }).fill('hunter2');
  await page.getByRole('button', { name: 'Create secret' }).click();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name').fill('API_TOKEN');
  await page.getByRole('button', { name: 'Create secret' }).click();
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('API_TOKEN');
  await page.getByRole('button', { name: 'Change API_TOKEN' }).click();
  await page.getByLabel('New value').fill('hunter3');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/changed/)).toBeVisible();
  expect(await page.content()).not.toContain('hunter');
  await page.getByRole('button', { name: 'Delete API_TOKEN' }).click();
  await page.getByRole('button', { name: 'Delete API_TOKEN permanently' }).click();
  await expect(page.getByText('No secrets yet.')).toBeVisible();
});

test('another session is seen and ended', async ({ page, playwright, baseURL, signedUp: { email } }) => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
  const elsewhere = await playwright.request.newContext({ baseURL, userAgent });
  await call(elsewhere, 'POST', '/sign_in', { email, password });
  await page.goto('/profile?section=security');
  await page.getByRole('button', { name: /Sign out Firefox/ }).click();
  await expect(page.getByRole('button', { name: /Sign out Firefox/ })).toBeHidden();
  expect((await elsewhere.get(`${api}/settings`)).status()).toBe(401);
  await elsewhere.dispose();
});

test('the contact form sends, and says so', async ({ page, server }) => {
  const { email } = newPerson();
  await page.goto('/contact-us');
  await page.getByLabel(/name/i).fill('Grace');
  await page.getByLabel(/mail/i).fill(email);
  await page.getByLabel(/message/i).fill('Hello there');
  await page.getByRole('button', { name: /Send/ }).click();
  await expect(page.getByText(/thank|sent|received/i).first()).toBeVisible();
  await expect.poll(async () => (await server.mailTo('admin@example.org')).subject).toContain('Message from Grace');
});

test('everything is reached by keyboard: skip link, commands, menu', async ({ page, signedUp: _ }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: /search|command/i }).fill('API keys');
  await expect(page.getByRole('dialog').getByRole('button', { name: /API keys/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/section=keys/);
});
