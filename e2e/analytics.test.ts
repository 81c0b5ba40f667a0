import { text } from 'node:stream/consumers';
import { violationsOf } from './axe.ts';
import { call, expect, makeProject, test } from './fixtures.ts';
import { code, notebook, openNotebook, slow } from './notebook-page.ts';

test('an owner sees how a project is used and what was made from it', async ({ page, signedUp: _ }) => {
  const project = await makeProject(page.request);
  await call(page.request, 'POST', `/notebooks/${project}/clone`, { name: 'Second harbour' });
  await page.goto(`/projects/${project}`);
  await page.getByRole('button', { name: 'Analytics' }).click();
  await expect(page.getByRole('img', { name: /^Views from / })).toBeVisible();
  await page.getByText('Clones', { exact: true }).first().click();
  await expect(page.getByRole('img', { name: /^Clones from .*: 1$/ })).toBeVisible();
  await page.getByText('12 months').click();
  await expect(page.getByRole('img', { name: /^Clones from .*: 1$/ })).toBeVisible();
  const related = page.getByRole('region', { name: 'Related projects' });
  await related.getByRole('link', { name: 'Second harbour' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Second harbour' })).toBeVisible();
  await page.getByRole('button', { name: 'Analytics' }).click();
  await expect(related.getByRole('link', { name: 'Harbour', exact: true })).toBeVisible();
});

test('what a run wrote is listed, downloaded and deleted', async ({ page, signedUp: _ }) => {
  const { project, file, path } = await openNotebook(page, notebook(code("open('low.csv', 'w').write('a')", 'write')));
  await page.goto(`${path}&panel=artifacts`);
  const panel = page.getByRole('complementary', { name: 'Artifacts' });
  await expect(panel.getByText('No artifacts yet.')).toBeVisible();
  await call(page.request, 'POST', `/notebooks/${project}/runs`, { project_file_id: file });
  const download = panel.getByRole('link', { name: 'Download low.csv, Run 1' });
  await expect(download).toBeVisible(slow);
  expect(await violationsOf(page)).toEqual([]);
  const [saved] = await Promise.all([page.waitForEvent('download'), download.click()]);
  expect(saved.suggestedFilename()).toBe('low.csv');
  expect(await text(await saved.createReadStream())).toBe('a');
  await panel.getByRole('button', { name: 'Delete: low.csv, Run 1' }).click();
  await panel.getByRole('button', { name: 'Delete permanently: low.csv, Run 1' }).click();
  await expect(panel.getByText('No artifacts yet.')).toBeVisible();
});
