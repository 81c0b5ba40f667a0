import { expect, test } from './fixtures.ts';
import { makeProject } from './notebook-page.ts';

test('an owner sees how a project is used and what was made from it', async ({ page, signedUp: _ }) => {
  const project = await makeProject(page.request);
  const clone = { data: { name: 'Second harbour' } };
  expect((await page.request.post(`/api/atoll/v1/notebooks/${project}/clone`, clone)).status()).toBe(200);
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
