import { call, expect, newPerson, signUp, test } from './fixtures.ts';

// A server of its own: the name that is changed is on every page.
test('who comes by the link of the first start may rename and recolour the product, and nobody else', async ({
  own,
}) => {
  const { page, server } = await own();
  await signUp(page.context(), server.url, newPerson());
  await page.goto('/theme-preview');
  await expect(page.getByText(/Only admins/)).toBeVisible();

  await page.goto(server.adminLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Theme' }).first().click();
  await page.getByLabel('Name', { exact: false }).first().fill('Northwind Research');
  await page.getByLabel('Title').fill('Research at Northwind');
  await expect(page.getByText('Northwind Research').first()).toBeVisible();
  // Nobody else sees it yet.
  const published = () => call(page.request, 'GET', '/theme');
  expect((await published()).name).toBe('Atoll');
  await page.getByRole('navigation', { name: 'Theme sections' }).getByRole('link', { name: 'Colours' }).click();
  const primary = page.getByRole('textbox', { name: /primary/i }).first();
  await primary.fill('#7c2d12');
  await primary.blur();
  await page.getByRole('button', { name: 'Save theme' }).click();
  await expect(page.getByText('Theme saved.')).toBeVisible();
  expect(await published()).toMatchObject({ name: 'Northwind Research', palettes: { light: { primary: '#7c2d12' } } });
  expect((await published()).palettes.dark.primary).not.toBe('#2dd4bf');
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/ - Northwind Research$/);
  const html = await (await page.request.get('/dashboard')).text();
  expect(html).toContain('<title>Research at Northwind</title>');

  await page.goto('/theme-preview');
  await page.getByRole('button', { name: 'Reset to default theme' }).click();
  await expect.poll(async () => (await published()).name).toBe('Atoll');
});
