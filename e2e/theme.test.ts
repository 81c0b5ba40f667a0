import { test as base } from '@playwright/test';
import { adminCredentials, expect, test } from './fixtures.ts';
import { startServer } from './server.ts';

test('somebody who is no administrator is told so', async ({ page, signedUp: _ }) => {
  await page.goto('/theme-preview');
  await expect(page.getByText(/Only admins/)).toBeVisible();
});

// A server of its own: the name it changes is on every page.
base(
  'an administrator renames and recolours the product, sees it before, saves and resets',
  async ({ page, context }) => {
    const server = await startServer({
      ATOLL_ADMIN_EMAIL: adminCredentials.email,
      ATOLL_ADMIN_PASSWORD: adminCredentials.password,
    });
    await context.request.post(`${server.url}/api/atoll/v1/sign_in`, { data: adminCredentials });
    await page.goto(`${server.url}/theme-preview`);
    await page.getByLabel('Name', { exact: false }).first().fill('Northwind Research');
    await page.getByLabel('Title').fill('Research at Northwind');
    await expect(page.getByText('Northwind Research').first()).toBeVisible();
    // Nobody else sees it yet.
    const published = async () =>
      (await (await context.request.get(`${server.url}/api/atoll/v1/theme`)).json()) as {
        name: string;
        palettes: { light: { primary: string } };
      };
    expect((await published()).name).toBe('Atoll');
    await page.getByRole('navigation', { name: 'Theme sections' }).getByRole('link', { name: 'Colours' }).click();
    const primary = page.getByRole('textbox', { name: /primary/i }).first();
    await primary.fill('#7c2d12');
    await primary.blur();
    await page.getByRole('button', { name: 'Save theme' }).click();
    await expect(page.getByText('Theme saved.')).toBeVisible();
    expect(await published()).toMatchObject({
      name: 'Northwind Research',
      palettes: { light: { primary: '#7c2d12' } },
    });
    await page.goto(`${server.url}/dashboard`);
    await expect(page).toHaveTitle(/ - Northwind Research$/);
    const html = await (await context.request.get(`${server.url}/dashboard`)).text();
    expect(html).toContain('<title>Research at Northwind</title>');

    await page.goto(`${server.url}/theme-preview`);
    await page.getByRole('button', { name: 'Reset to default theme' }).click();
    await expect.poll(async () => (await published()).name).toBe('Atoll');
    await server.stop();
  },
);
