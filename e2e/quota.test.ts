import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { call, complaintsOf, expect, makeFile, makeProject, openLive, phone, test } from './fixtures.ts';
import { code, notebook } from './notebook-page.ts';
import type { Use } from './server.ts';

const minute = 60_000;
const meter = (page: Page) => page.getByRole('button', { name: /execution time/ });
const row = (page: Page, name: string) =>
  page.getByRole('dialog').locator('dl > div').filter({ hasText: name }).getByRole('definition');

test('the quota is in the top bar and follows what is used', async ({ page, server, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  const { id: userId } = await call(page.request, 'GET', '/me');
  const run = (use: Omit<Use, 'userId'>) => server.ask({ userId, ...use });
  await openLive(page, '/dashboard');
  await expect(meter(page)).toContainText('0 s of 10 h');

  await meter(page).click();
  const quota = page.getByRole('dialog', { name: 'Usage' });
  await expect(quota).toContainText('Execution time');
  await expect(row(page, 'Projects')).toHaveText('0 of 5');
  await expect(row(page, 'Extension')).toHaveText('None');
  await expectAccessible(page);

  await run({ wantedMs: 90 * minute, usedMs: 80 * minute });
  await expect(meter(page)).toContainText('1 h 20 min of 10 h');
  await run({ wantedMs: 30 * minute });
  await expect(row(page, 'Reserved by running code')).toHaveText('30 min');
  await makeProject(page.request, 'Tides');
  await expect(row(page, 'Projects')).toHaveText('1 of 5');

  await run({ wantedMs: 480 * minute, usedMs: 420 * minute });
  await expect(quota).toContainText(/1 h 10 min left until/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(quota).toBeHidden();
  await expect(meter(page)).toBeFocused();
  expect(complaints).toEqual([]);
});

test('who has used everything is told what to do, on a phone in the menu', async ({ page, server }) => {
  await page.setViewportSize(phone);
  await page.goto('/dashboard');
  // Before that the page is nobody yet, and asking would make a guest of its own.
  await expect(page.getByRole('button', { name: 'More', exact: true })).toBeVisible();
  const { id: userId } = await call(page.request, 'GET', '/me');
  await server.ask({ userId, wantedMs: 60 * minute, usedMs: 60 * minute });
  await expect(meter(page)).toBeHidden();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const quota = page.getByRole('region', { name: 'Usage' });
  await expect(quota).toContainText('1 h of 1 h');
  await expectAccessible(page);
  await quota.getByRole('link', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/sign-up/);
});

test('a schedule says that its author is out of execution time, pauses after three failures and is resumed', async ({
  page,
  server,
  signedUp: _,
}) => {
  const { id: userId } = await call(page.request, 'GET', '/me');
  await server.ask({ userId, wantedMs: 600 * minute, usedMs: 600 * minute });
  const project = await makeProject(page.request);
  const file = await makeFile(page.request, project, 'tides.ipynb', notebook(code('print("tide")', 'a')));
  await call(page.request, 'PATCH', `/notebooks/${project}/files/${file}/schedule`, { schedule: {} });
  await page.goto('/automation');
  const item = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem', { name: 'Harbour' });
  const past = () => call(page.request, 'GET', '/schedules');
  for (const failures of [1, 2, 3]) {
    await item.getByRole('button', { name: 'Run now' }).click();
    await expect.poll(async () => (await past()).entries[0].failures_in_row).toBe(failures);
    await expect(item.getByRole('button', { name: 'Run now' })).toBeEnabled();
  }
  await expect(item).toContainText('Paused after three failures in a row');
  await expect(item).toContainText('Not enough execution time left: 10 h of 10 h of this month are used');
  await expectAccessible(page);
  await item.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(item).toContainText('Next');
  await expect(item).not.toContainText('Paused');
});
