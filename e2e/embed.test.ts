import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { violationsOf } from './axe.ts';
import { expect, makeFile, makeProject, publish, test } from './fixtures.ts';
import { code, notebook, openNotebook, shows, slow, text } from './notebook-page.ts';

/** A page of another site, on a host of its own: what the browser calls third-party. */
async function otherSite(html: string) {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const figure = { data: [{ type: 'bar', y: [1, 2, 3] }], layout: {} };
const content = notebook(
  text('Tide tables\n\n'.repeat(30), 'intro'),
  code('print(1)', 'sum', [{ output_type: 'stream', name: 'stdout', text: 'the sum is 42\n' }]),
  code('fig', 'plot', shows({ 'application/vnd.plotly.v1+json': figure })),
);

test('another site shows an embed without cookies, as tall as it is, until it is no longer allowed', async ({
  stranger,
  page,
  baseURL,
  signedUp: _,
}) => {
  const project = await makeProject(page.request);
  const file = await makeFile(page.request, project, 'tides.ipynb', content);
  const embed = `/api/atoll/v1/notebooks/${project}/files/${file}/embed`;
  const frame = (path: string) =>
    `<iframe src="${baseURL}${path}" title="${path}" width="600" height="100" data-atoll-embed></iframe>`;
  const whole = `/embed/file/${project}/${file}/${file}`;
  const site = await otherSite(
    `<!doctype html>${frame(whole)}${frame(`/embed/cell/${project}/${file}/sum`)}${frame(`/embed/chart/${project}/${file}/plot?theme=dark`)}
     <script async src="${baseURL}/assets/embed.js"></script>`,
  );
  // A browser that has never been here, and whose frames keep nothing.
  const reader = await stranger();
  const cookies: string[] = [];
  reader.context().on('request', async (request) => {
    if ((await request.allHeaders()).cookie) cookies.push(request.url());
  });
  await page.request.patch(embed, { data: { allowed_sites: [site.origin] } });
  await reader.goto(site.origin);
  const frames = reader.locator('iframe');
  const [first, second, third] = [frames.nth(0), frames.nth(1), frames.nth(2)];
  await expect(first.contentFrame().getByText('the sum is 42')).toBeVisible();
  const heightOf = async (frameElement: typeof first) => (await frameElement.boundingBox())?.height ?? 0;
  await expect.poll(() => heightOf(first)).toBeGreaterThan(1_000);
  const inside = await first.contentFrame().locator('#page').boundingBox();
  expect(Math.abs((await heightOf(first)) - (inside?.height ?? 0))).toBeLessThan(6);
  await expect(second.contentFrame().getByText('Tide tables')).toHaveCount(0);
  await expect.poll(() => heightOf(second)).toBeLessThan(300);
  await expect(third.contentFrame().locator('iframe').contentFrame().locator('.main-svg').first()).toBeVisible();
  await expect.poll(() => heightOf(third)).toBeGreaterThan(400);
  expect(cookies).toEqual([]);
  expect(await reader.context().cookies()).toEqual([]);

  await page.request.patch(embed, { data: { allowed_sites: ['https://elsewhere.example'] } });
  const refused = reader.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await reader.reload();
  await refused;
  await expect(first.contentFrame().getByText('the sum is 42')).toHaveCount(0);
  site.close();
});

/** As bokeh, pyvis or plotly's HTML do: an empty element and the script that fills it; this one also tries what it must not. */
const own = `<div id="own"></div><script>
  const attempt = (work) => { try { return String(work()) } catch (error) { return error.name } };
  const answer = (path) => fetch(path, { credentials: 'include' }).then(({ status }) => status, () => 'refused');
  const ours = new URL(document.baseURI).origin;
  (async () => {
    attempt(() => { top.location = ours + '/sign-up' });
    const found = [self.origin, attempt(() => parent.document.title), attempt(() => document.cookie),
      attempt(() => localStorage.length), await answer(ours + '/api/atoll/v1/me'), await answer(ours + '/assets/embed.js')];
    document.getElementById('own').textContent = found.join(' ');
    document.getElementById('own').style.height = '900px';
  })();
</script>`;
/** As bokeh does: as tall as its frame, and drawn later where no size changes with it. */
const filling = `<style>html, body { height: 100%; margin: 0; padding: 0 }</style><div id="later"></div><script>
  const shadow = document.getElementById('later').attachShadow({ mode: 'open' });
  addEventListener('load', () => { shadow.innerHTML = '<div style="height: 333px">drawn later</div>' });
</script>`;
const reachesNothing = 'null SecurityError SecurityError SecurityError refused refused';

test('charts and HTML with scripts of a publication are drawn on another site, and reach nothing of ours', async ({
  stranger,
  page,
  baseURL,
  signedUp: _,
}) => {
  const project = await makeProject(page.request);
  const bars = { mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { x: { field: 'a' } } };
  const charts = notebook(
    code('chart', 'bars', shows({ 'application/vnd.vegalite.v6+json': bars, 'text/html': '<div id="altair"></div>' })),
    code('fig', 'plot', shows({ 'application/vnd.plotly.v1+json': figure })),
    code('own', 'own', shows({ 'text/html': own })),
    code('filling', 'filling', shows({ 'text/html': filling })),
  );
  const file = await makeFile(page.request, project, 'charts.ipynb', charts);
  const { slug, path } = await publish(page.request, file, { title: 'Charts elsewhere', execution_enabled: true });
  const site = await otherSite(
    `<!doctype html><iframe src="${baseURL}/embed/publication/${slug}" width="600" height="100" data-atoll-embed></iframe>
     <script async src="${baseURL}/assets/embed.js"></script>`,
  );
  const reader = await stranger();
  await reader.goto(site.origin);
  const embed = reader.locator('iframe').contentFrame();
  const chart = (cell: string) => embed.locator(`[data-cell="${cell}"] iframe`);
  await expect(chart('bars').contentFrame().locator('svg, canvas').first()).toBeVisible(slow);
  await expect(chart('plot').contentFrame().locator('.main-svg').first()).toBeVisible(slow);
  await expect(chart('plot')).toHaveAttribute('sandbox', 'allow-scripts');
  await expect(chart('own').contentFrame().getByText(reachesNothing)).toBeVisible(slow);
  await expect.poll(async () => (await chart('own').boundingBox())?.height).toBeGreaterThan(890);
  await expect.poll(async () => (await chart('filling').boundingBox())?.height).toBe(333);
  await expect.poll(async () => (await reader.locator('iframe').boundingBox())?.height).toBeGreaterThan(500);
  await expect(embed.getByRole('link', { name: 'Charts elsewhere' })).toHaveAttribute('href', path);
  const run = embed.getByRole('link', { name: 'Run a copy' });
  const [opened] = await Promise.all([reader.context().waitForEvent('page'), run.click()]);
  await expect(opened.getByRole('dialog', { name: 'Run “Charts elsewhere”' })).toBeVisible();
  await opened.getByRole('button', { name: 'Close' }).click();
  await expect(opened).toHaveURL(new RegExp(`${path}$`));
  site.close();

  // The same in the article itself, where the reader has a session.
  await page.goto(path);
  const inArticle = page.locator('[data-cell="own"] iframe');
  await expect(inArticle.contentFrame().getByText(reachesNothing)).toBeVisible(slow);
  await expect(inArticle).toHaveAttribute('sandbox', 'allow-scripts');
  await expect.poll(async () => (await inArticle.boundingBox())?.height).toBe(640);
  await expect.poll(async () => (await page.locator('[data-cell="filling"] iframe').boundingBox())?.height).toBe(333);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
});

test('an author embeds a cell and copies the code; a reader runs a copy in a window of its own, until the embed is turned off', async ({
  page,
  context,
  stranger,
  baseURL,
  signedUp: _,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { project, file } = await openNotebook(page, content);
  await page.locator('[data-cell="sum"]').click();
  await page.getByRole('button', { name: 'Menu of cell 2' }).click();
  await page.getByRole('menuitem', { name: 'Embed…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Embed cell' });
  await dialog.getByRole('switch', { name: 'Embed this file' }).click();
  await expect(dialog.locator('iframe').contentFrame().getByText('the sum is 42')).toBeVisible();
  await dialog.getByText('Dark', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`/embed/cell/${project}/${file}/sum?theme=dark`);
  await dialog.getByRole('switch', { name: 'Readers may run it' }).click();
  await dialog.getByRole('switch', { name: 'Copy the files of the project' }).click();
  await expect(dialog.getByRole('switch', { name: 'Copy the files of the project' })).toBeChecked();
  const site = await otherSite(
    `<!doctype html><iframe src="${baseURL}/embed/cell/${project}/${file}/sum" width="600" height="200"></iframe>`,
  );
  const reader = await stranger();
  await reader.goto(site.origin);
  const link = reader.locator('iframe').contentFrame().getByRole('link', { name: 'Run a copy' });
  const [opened] = await Promise.all([reader.context().waitForEvent('page'), link.click()]);
  await expect(opened.getByRole('heading', { name: 'Run tides.ipynb' })).toBeVisible();
  await expect(opened.getByText('with the files of the project')).toBeVisible();
  expect(await violationsOf(opened)).toEqual([]);
  await opened.getByRole('button', { name: 'Run a copy' }).click();
  await expect(opened).toHaveURL(/\/projects\//);
  expect(opened.url()).not.toContain(project);
  await expect(opened.locator('[data-cell="sum"]')).toBeVisible(slow);

  await dialog.getByRole('switch', { name: 'Readers may run it' }).click();
  await expect(dialog.getByRole('switch', { name: 'Readers may run it' })).not.toBeChecked();
  await reader.reload();
  await expect(reader.locator('iframe').contentFrame().getByText('the sum is 42')).toBeVisible();
  await expect(link).toHaveCount(0);
  await dialog.getByRole('switch', { name: 'Embed this file' }).click();
  await expect(dialog.locator('iframe')).toHaveCount(0);
  expect((await page.request.get(`/embed/cell/${project}/${file}/sum`)).status()).toBe(404);
  site.close();
});
