import { expect, newPerson, password, signUp, test } from './fixtures.ts';

const personMenu = /account menu/;

test('a guest signs up, signs out and signs in again', async ({ page }) => {
  const { email, userName } = newPerson();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: personMenu }).click();
  await page.getByRole('menuitem', { name: 'Create account' }).click();
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('button', { name: 'Grace, account menu' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: personMenu }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: /Guest, account menu/ })).toBeVisible();

  // Fields say what is wrong with them, and a wrong password keeps what was typed.
  await page.goto('/sign-up');
  await page.getByLabel('User name').fill(userName);
  await page.getByLabel('E-mail').fill('other@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('This user name is taken').first()).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveValue('other@example.org');
  await page.goto('/sign-in?return_to=/about');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText(/not|fail|wrong/i);
  await expect(page.getByLabel('E-mail')).toHaveValue(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/about$/);
  await expect(page.getByRole('button', { name: 'Grace, account menu' })).toBeVisible();
});

test('a mailed link signs in once, and a forgotten password is set anew by mail', async ({
  page,
  context,
  baseURL,
  server,
}) => {
  const person = newPerson();
  await signUp(context, baseURL ?? '', person);
  await server.mailTo(person.email);
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('button', { name: /link/i }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  await expect.poll(async () => (await server.mailTo(person.email)).subject).toContain('sign-in link');
  const { link } = await server.mailTo(person.email);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Ada Lovelace, account menu' })).toBeVisible();
  expect(page.url()).not.toContain('token');
  await context.clearCookies();
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText(/already used or has expired/)).toBeVisible();

  await page.goto('/forgot-password');
  await page.getByLabel('E-mail').fill(person.email);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await server.mailTo(person.email)).subject).toContain('new password');
  await page.goto((await server.mailTo(person.email)).link);
  await page.getByRole('textbox', { name: 'New password' }).fill('a brand new password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Ada Lovelace, account menu' })).toBeVisible();
});

test('a passkey is made and signs in', async ({ page, context, signedUp: _ }) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/profile?section=security');
  await page.getByLabel('Name of a new passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('Laptop');
  await page.getByRole('button', { name: personMenu }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: /Guest, account menu/ })).toBeVisible();
  await page.goto('/sign-in');
  const signedIn = page.getByRole('button', { name: 'Ada Lovelace, account menu' });
  const usePasskey = page.getByRole('button', { name: 'Use a passkey' });
  // The page may offer the passkey by itself before the button is pressed; either way it ends signed in.
  await Promise.race([usePasskey.click().catch(() => {}), signedIn.waitFor()]);
  await expect(signedIn).toBeVisible();
});
