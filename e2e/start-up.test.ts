import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violationsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { freePort, untilReady } from './server.ts';

test('the loading screen shows the title and what is starting, then the workspace comes, with no more than it needs', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/assets/') && response.url().endsWith('.js')) {
      scripts.push(response.url());
      expect(response.headers()['content-encoding']).toBe('br');
      expect(response.headers()['cache-control']).toContain('immutable');
    }
  });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/atoll/v1/me?**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expect(page.getByText('Atoll is starting...', { exact: true })).toBeVisible();
  await expect(page.getByText('Atoll workspace')).toBeVisible();
  held.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Atoll is starting...')).toBeHidden();

  // What the page does not need is not loaded, and assets are kept for ever.
  await page.waitForLoadState('networkidle');
  expect(scripts.length).toBeGreaterThan(0);
  const text = (await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()))).join('');
  // Marks of zod, the markdown reader and the WebAuthn library.
  for (const mark of ['invalid_union', 'markdown-it` preset', 'startRegistration']) expect(text).not.toContain(mark);
});

test('without a theme it says Oops..., and other failures in their words; trying again or going on helps', async ({
  page,
}) => {
  let isBroken = true;
  await page.route('**/api/atoll/v1/theme', (route) =>
    isBroken ? route.fulfill({ status: 500, body: 'no' }) : route.continue(),
  );
  await page.goto('/dashboard');
  await expect(page).toHaveTitle('Oops...');
  await expect(page.getByRole('heading', { name: 'Oops...' })).toBeVisible();
  await expect(
    page.getByText("Something went wrong on our end. We're already fixing it - please try again in a moment."),
  ).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Atoll|Good|Welcome|Hello/ })).toBeVisible();

  const fails = (status: number, code: string, message: string) => ({
    status,
    json: { message, status, code, fields: {}, details: {} },
  });
  await page.route('**/api/atoll/v1/me?**', (route) =>
    route.fulfill(fails(403, 'forbidden', 'This account is suspended.')),
  );
  await page.goto('/dashboard');
  await expect(page.getByText('This account is suspended.')).toBeVisible();
  await page.unrouteAll();

  // A session that timed out offers to sign in again or to go on as a guest.
  await page.route('**/api/atoll/v1/me?**', (route) =>
    route.request().url().includes('session_continue')
      ? route.continue()
      : route.fulfill(fails(401, 'unauthorized', 'Session timeout')),
  );
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue as a guest' }).click();
  await expect(page.getByRole('button', { name: /account menu/ })).toBeVisible();
});

test('an unknown session is replaced by a fresh guest; the mode comes from the address, else from what was chosen, else from the theme', async ({
  page,
  context,
  baseURL,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/v1/me')) asked.push(url.searchParams.get('guest_id') ?? '');
  });
  await context.addCookies([{ name: 'session', value: 'a-token-nobody-has', url: baseURL ?? '' }]);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked).toHaveLength(2);
  expect(asked[0]).not.toBe(asked[1]);

  const mode = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await mode()).toBe('light');
  await page.getByRole('button', { name: /account menu/ }).click();
  await page.getByRole('menuitem', { name: /Switch to/ }).click();
  await expect.poll(mode).toBe('dark');
  await page.reload();
  await expect.poll(mode).toBe('dark');
  await page.goto('/about?theme=light');
  await expect.poll(mode).toBe('light');
});

test('the variants land where they should and look like other products', async ({ own }) => {
  for (const [platform, path, name] of [
    ['crypto', '/dashboard', 'Meridian'],
    ['dpasa', '/', 'Folio'],
  ] as const) {
    const { page } = await own({ ATOLL_PLATFORM: platform });
    await page.goto('/?from=ad');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const { pathname, search } = new URL(page.url());
    expect(pathname).toBe(path);
    expect(search).toBe('?from=ad');
    await expect(page).toHaveTitle(new RegExp(name));
    expect(await page.locator('#root').textContent()).not.toMatch(/atoll/i);
    expect(await violationsOf(page)).toEqual([]);
  }
});

test('npm start ends when it is asked to, and with it the server', async ({ request }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-e2e-'));
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), ATOLL_DATA: folder, ATOLL_KERNEL_SPARE: 'off' };
  const child = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilReady(child);
  const status = `http://127.0.0.1:${port}/api/atoll/v1/status`;
  expect((await request.get(status)).status()).toBe(200);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  await expect(request.get(status)).rejects.toThrow('ECONNREFUSED');
  rmSync(folder, { recursive: true, force: true });
});
