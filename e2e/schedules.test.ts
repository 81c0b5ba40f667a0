import { violationsOf } from './axe.ts';
import { call, expect, phone, test } from './fixtures.ts';
import { code, notebook, openNotebook, slow } from './notebook-page.ts';

test('a notebook is scheduled, runs at its time and by hand, and its past runs are there', async ({
  page,
  signedUp: _,
}) => {
  const { project, file } = await openNotebook(page, notebook(code('print("tide")', 'a')));
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule runs' });
  const times = dialog.getByRole('region', { name: 'Next times' }).getByRole('listitem');
  await expect(times).toHaveCount(5);
  await dialog.getByLabel('Interval').selectOption('week');
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
  await dialog.getByLabel('First time').fill('2027-01-04T08:00');
  for (const day of ['Tue', 'Wed', 'Fri', 'Sat', 'Sun']) await dialog.getByText(day, { exact: true }).click();
  await expect(times).toHaveText([
    /Mon, 4 Jan 2027.*08:00/,
    /Thu, 7 Jan 2027.*08:00/,
    /Mon, 11 Jan 2027.*08:00/,
    /Thu, 14 Jan 2027.*08:00/,
    /Mon, 18 Jan 2027.*08:00/,
  ]);
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  await expect(page.getByText('Schedule saved.')).toBeVisible();

  await page.goto('/automation');
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem', { name: 'Harbour' });
  await expect(row).toContainText('Every week on Mon, Thu at 08:00');
  await expect(row).toContainText('Has not run yet');
  expect(await violationsOf(page)).toEqual([]);
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect(row).toContainText('Succeeded', slow);

  // By itself, a moment from now; the page follows.
  const soon = new Date(Date.now() + 1_500).toISOString();
  const schedule = { type: 'one_off', starts_at: soon };
  await call(page.request, 'PATCH', `/notebooks/${project}/files/${file}/schedule`, { schedule });
  await expect(row).toContainText('Done', slow);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Past runs' }).click();
  const past = page.getByRole('dialog', { name: 'Past runs' });
  await expect(past.getByText('Succeeded')).toHaveCount(2, slow);
  await expect(past.getByText('started by hand')).toHaveCount(1);
  await past.getByRole('link', { name: 'Open run' }).first().click();
  await expect(page.getByRole('complementary', { name: 'Runs' })).toContainText('tide', slow);
});

test('a schedule is paused, resumed, changed on a phone and deleted', async ({ page, signedUp: _ }) => {
  const { project, file } = await openNotebook(page, notebook(code('1/0', 'a')));
  await call(page.request, 'PATCH', `/notebooks/${project}/files/${file}/schedule`, { schedule: {} });
  await page.setViewportSize(phone);
  await page.goto('/automation');
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem', { name: 'Harbour' });
  await expect(row).toContainText('Every hour');
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect(row).toContainText('ZeroDivisionError', slow);
  const act = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Pause');
  await expect(row).toContainText('Paused');
  await page.getByLabel('Which schedules').selectOption('active');
  await expect(page.getByText('No schedules match.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await act('Resume');
  await expect(row).toContainText('Next');
  await act('Edit');
  const dialog = page.getByRole('dialog', { name: 'Schedule runs' });
  await dialog.getByLabel('Every').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a whole number from 1 to 1000')).toBeVisible();
  await dialog.getByLabel('Every').fill('2');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Every 2 hours');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await act('Delete');
  await expect(page.getByText('Nothing is scheduled.')).toBeVisible();
});
