import { violationsOf } from './axe.ts';
import { call, expect, makeUpload, phone, share, test } from './fixtures.ts';
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

test('a schedule stops at what a colleague changed, shows it, and goes on once its owner has accepted it', async ({
  page,
  signedUp: _,
  another,
}) => {
  const { project, file } = await openNotebook(page, notebook(code('print("tide")', 'a')));
  await page.goto('/automation');
  const bob = await another();
  await share(page.request, project, bob.id, ['view', 'view_source', 'view_history', 'edit']);
  const schedule = { interval_type: 'day', with_secrets: true };
  const made = await call(page.request, 'PATCH', `/notebooks/${project}/files/${file}/schedule`, { schedule });
  const changed = await makeUpload(bob.page.request, 'tides.ipynb', notebook(code('print("flood")', 'a')));
  await call(bob.page.request, 'PATCH', `/notebooks/${project}/files-contents/${file}`, changed);

  await page.reload();
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem', { name: 'Harbour' });
  await expect(row).toContainText('It stops at its next time unless its owner reviews the changes');
  await call(page.request, 'POST', `/schedules/${made.schedule.id}/run`);
  await expect(row).toContainText('It goes on when its owner has reviewed the changes', slow);
  await expect(row).toContainText('Stopped');
  await row.getByRole('button', { name: 'Review changes and resume' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review changes' });
  await expect(dialog).toContainText('with your secrets');
  await expect(dialog.getByRole('listitem')).toContainText('tides.ipynb');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog', { name: 'Versions of tides.ipynb' });
  await expect(compared).toContainText('1 of 1 cells differ', slow);
  await expect(compared).toContainText('flood');
  await page.keyboard.press('Escape');
  await expect(compared).toBeHidden();
  await dialog.getByRole('button', { name: 'Accept changes and resume' }).click();
  await expect(page.getByText('Changes accepted.')).toBeVisible();
  await expect(row).toContainText('Next');
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect(row).toContainText('Succeeded', slow);
});
