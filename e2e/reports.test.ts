import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { openPdf } from '../apps/server/src/features/reports/test-pdf.ts';
import { violationsOf } from './axe.ts';
import { complaintsOf, expect, makeFile, makeProject, publish, test } from './fixtures.ts';
import { code, notebook, shows, slow, text } from './notebook-page.ts';

const plotly = {
  data: [{ type: 'bar', x: ['Brest', 'Dover'], y: [5.1, 4.2] }],
  layout: { title: { text: 'Highest water of the week' } },
};
const vegaLite = {
  data: { values: [{ port: 'Brest', level: 3 }] },
  mark: 'bar',
  encoding: { x: { field: 'port' }, y: { field: 'level', type: 'quantitative', title: 'Lowest level' } },
};
/** As tall as its frame, and drawn by its own script. */
const ownScript = `<style>html, body { height: 100%; margin: 0 }</style><div id="own"></div><script>
  document.getElementById('own').innerHTML = '<p style="margin-top: 350px">Drawn by its own script</p>';
</script>`;
const content = notebook(
  text('# Week\n\nA calm week. See [the tables](https://example.org/tides).', 'week'),
  code('px.bar(levels)', 'bars', shows({ 'application/vnd.plotly.v1+json': plotly })),
  code('alt.Chart(levels)', 'marks', shows({ 'application/vnd.vegalite.v6+json': vegaLite })),
  code('show(levels)', 'own', shows({ 'text/html': ownScript })),
  text('# Notes\n\nLeft for later.', 'notes'),
);

async function published(request: APIRequestContext, title: string): Promise<{ id: string; slug: string }> {
  const fileId = await makeFile(request, await makeProject(request), 'week.ipynb', content);
  return publish(request, fileId, { title });
}

async function download(page: Page, kind: string): Promise<string> {
  await page.getByRole('button', { name: 'Download' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download', slow),
    page.getByRole('menuitem', { name: kind }).click(),
  ]);
  return file.path();
}

test('an author sets how a publication is printed, sees the pages and downloads them', async ({ page, signedUp }) => {
  const complaints = complaintsOf(page);
  const title = `Week of ${signedUp.userName}`;
  const { slug } = await published(page.request, title);
  await page.goto(`/publications/notebooks/${slug}`);
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await expect(page).toHaveURL(`/reports/notebooks/${slug}`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText(/^\d pages?$/)).toBeVisible(slow);
  await expect(preview.locator('[data-drawn] canvas').first()).toBeVisible(slow);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByText('Landscape').click();
  await page.getByRole('textbox', { name: 'Header' }).fill('Harbour office');
  await page.getByRole('switch', { name: 'All cells' }).click();
  await page.getByRole('checkbox', { name: 'Notes' }).uncheck();
  await page.getByRole('switch', { name: 'List as a report' }).click();
  await expect(preview.getByText(/Rendering preview…/)).toBeVisible();
  await expect(preview.getByText(/^\d pages?$/)).toBeVisible(slow);
  const { pages, text: words } = await openPdf(await readFile(await download(page, 'PDF')));
  expect(pages.every(({ width, height }) => width > height)).toBe(true);
  const drawn = ['Highest water of the week', 'Lowest level', 'Drawn by its own script'];
  for (const expected of [title, 'A calm week', 'Harbour office', ...drawn]) expect(words).toContain(expected);
  expect(words).not.toContain('Left for later');
  const picture = await readFile(await download(page, 'PNG'));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');

  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Header' })).toHaveValue('Harbour office');
  await page.goto('/reports');
  await page.getByRole('searchbox', { name: 'Search reports' }).fill(signedUp.userName);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.goto('/reports?search=nothingofthesort');
  await expect(page.getByText('No reports match “nothingofthesort”.')).toBeVisible();
  await page.goto('/projects?tab=reports');
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a reader prints from their own browser, also where the server has none', async ({
  page,
  signedUp: _,
  stranger,
}) => {
  const { id, slug } = await published(page.request, 'For readers');
  const reading = await stranger();
  // The dialog of the browser would wait for a person.
  await reading.addInitScript(() => {
    window.print = () => top?.document.body.setAttribute('data-printed', document.title);
  });
  const noRenderer = {
    message: 'No browser',
    status: 501,
    code: 'not_implemented',
    details: { reason: 'no_renderer' },
  };
  await reading.route(`**/external_publications/${id}/download*`, (route) =>
    route.fulfill({ status: 501, json: noRenderer }),
  );
  await reading.goto(`/reports/notebooks/${slug}`);
  await expect(reading.getByText('This server has no browser to make PDFs with.')).toBeVisible(slow);
  const frame = reading.frameLocator('iframe[title="Page to print"]');
  await expect(frame.getByRole('heading', { level: 1, name: 'For readers' })).toBeVisible();
  await expect(frame.getByRole('img', { name: 'Chart' })).toHaveCount(2, slow);
  // As wide as the page.
  expect((await frame.getByRole('img', { name: 'Chart' }).first().boundingBox())?.width).toBeGreaterThan(600);
  await expect(reading.getByText('Print settings')).toHaveCount(0);
  await reading.getByRole('button', { name: 'Print' }).click();
  await expect(reading.locator('body')).toHaveAttribute('data-printed', 'For readers', slow);
});
