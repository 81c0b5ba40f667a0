import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import {
  call,
  complaintsOf,
  expect,
  makeFile,
  makeProject,
  makeUpload,
  password,
  phone,
  publish,
  test,
} from './fixtures.ts';
import { code, notebook, onePixel, openNotebook, shows, slow, text } from './notebook-page.ts';

const long = 'The gauge has recorded sea level since 1883. '.repeat(60);
const stations = ['Ålesund', 'Bergen', 'Stavanger', 'Tromsø', 'Trondheim', 'Kristiansund', 'Hammerfest', 'Honningsvåg'];
const row = (tag: string) => `<tr>${stations.map((name) => `<${tag}>${name}</${tag}>`).join('')}</tr>`;
const wideTable = `<table><thead>${row('th')}</thead><tbody>${row('td')}</tbody></table>`;
const article = (word: string) =>
  notebook(
    text(`# High water\n\n${word}. ${long}`, 'high'),
    text(`## Wind\n\n${long}`, 'wind'),
    text(`## Low water\n\n${long}`, 'low'),
    code('plot()', 'plot', shows({ 'image/png': onePixel.toString('base64') })),
    code('6 * 7', 'sum'),
    code('table', 'table', shows({ 'text/html': wideTable })),
    text(wideTable, 'raw_table'),
  );

interface Published {
  id: string;
  path: string;
  fileId: string;
  projectId: string;
}

/** By the API, for journeys that begin with it. */
async function publishedNotebook(request: APIRequestContext, body: object, word = 'first'): Promise<Published> {
  const projectId = await makeProject(request);
  const fileId = await makeFile(request, projectId, 'tides.ipynb', article(word));
  const { id, path } = await publish(request, fileId, body);
  return { id, path, fileId, projectId };
}

async function replaceNotebook(request: APIRequestContext, { projectId, fileId }: Published, content: string) {
  const data = await makeUpload(request, 'tides.ipynb', content);
  await call(request, 'PATCH', `/notebooks/${projectId}/files-contents/${fileId}`, data);
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: /^Publi(sh|cation)$/ });
const openDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  return dialogOf(page);
};
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a notebook is published from the editor and read signed out, with and without scripts', async ({
  page,
  signedUp: { userName },
  server,
  stranger,
}) => {
  const complaints = complaintsOf(page);
  await openNotebook(page, article('first'));
  const dialog = await openDialog(page);
  const title = `Tides of ${userName}`;
  const slug = title.toLowerCase().replace(/[ _]/g, '-');
  await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(slug);
  await dialog.getByRole('textbox', { name: 'Address' }).fill('x');
  await dialog.getByRole('textbox', { name: 'Title' }).click();
  await expect(dialog.getByText('Use 3 to 80 characters.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(slug);
  await dialog.getByRole('radio', { name: 'Public', exact: true }).check();
  await dialog.getByRole('combobox', { name: 'Category' }).selectOption('Research');
  await dialog.getByRole('button', { name: 'Use the picture of a cell' }).click();
  await dialog.getByRole('menuitem', { name: 'plot()' }).click();
  await dialog.getByText('Cells to leave out').click();
  await dialog.getByRole('checkbox', { name: '6 * 7' }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByText('Public · Version 1')).toBeVisible();
  const path = `/publications/notebooks/${slug}`;
  // It ends on the link, and who can read it.
  await expect(dialog.getByText('Published.')).toBeInViewport();
  await expect(dialog.getByRole('link', { name: path })).toHaveAttribute('href', server.url + path);
  await expect(dialog.getByRole('link', { name: 'Open', exact: true })).toHaveAttribute('href', server.url + path);
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeInViewport();
  await expect(dialog.getByText('Listed in Publications and found by search engines')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Published' }).click();
  const about = page.getByRole('dialog', { name: /^About / });
  await expect(about.getByRole('link', { name: title })).toHaveAttribute('href', path);
  expect(complaints).toEqual([]);

  const reader = await stranger();
  const read = complaintsOf(reader);
  await reader.goto(path);
  await expect(reader.getByRole('button', { name: 'Share' })).toBeVisible();
  await expect(heading(reader, title)).toHaveCount(1);
  await expect(reader.locator('.article .cover')).toBeVisible();
  await expect(reader.getByText('6 * 7')).toHaveCount(0);
  await expect(reader.getByRole('button', { name: 'Edit' })).toHaveCount(0);
  expect(await violationsOf(reader)).toEqual([]);
  await reader.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Low water' }).click();
  await expect(reader.getByRole('heading', { name: 'Low water' })).toBeInViewport();
  await expect(reader).toHaveURL(/#at-low-water$/);
  await expect(reader.getByRole('link', { name: 'Low water' })).toHaveAttribute('aria-current', 'location');
  await reader.emulateMedia({ media: 'print' });
  await expect(reader.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(reader.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(reader.getByRole('heading', { name: 'High water' })).toBeVisible();
  expect(read).toEqual([]);

  // Nothing before the article makes it wait.
  const [beforeArticle] = (await (await page.request.get(path)).text()).split('<main id="page">');
  expect(beforeArticle).not.toMatch(/rel="stylesheet"|<script/);
  const plain = await stranger({ javaScriptEnabled: false });
  await plain.goto(path);
  await expect(heading(plain, title)).toBeVisible();
  await plain.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Low water' }).click();
  await expect(plain.getByRole('heading', { name: 'Low water' })).toBeInViewport();
  // On a phone a wide table scrolls, and its words stay whole.
  await plain.setViewportSize(phone);
  for (const table of await plain.locator('.article table').all()) {
    const lines = await table
      .locator('th')
      .evaluateAll((heads) => heads.map((head) => head.getClientRects()[0]?.height));
    expect(Math.max(...lines.map((height) => height ?? 0))).toBeLessThan(60);
  }
  expect(await plain.locator('.article table').count()).toBe(2);
  expect(await plain.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('the app takes over what is being read without moving it', async ({ page, signedUp: _, stranger }) => {
  const { path } = await publishedNotebook(page.request, { title: 'Taken over' });
  const reader = await stranger();
  for (const width of [1440, 390]) {
    await reader.setViewportSize({ width, height: 900 });
    await takeOver(reader, path);
  }
});

async function takeOver(reader: Page, path: string): Promise<void> {
  const held = Promise.withResolvers<void>();
  await reader.route('**/api/atoll/v1/me*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await reader.goto(path, { waitUntil: 'domcontentloaded' });
  await expect(heading(reader, 'Taken over')).toBeVisible();
  await expect(reader.locator('#boot')).toBeHidden();
  const wind = reader.getByRole('heading', { name: 'Wind' });
  await wind.evaluate((element) => {
    element.scrollIntoView();
    window.scrollBy(0, 60);
  });
  const topOf = async () => Math.round((await reader.locator('[data-cell="wind"]').boundingBox())?.y ?? 0);
  const before = await topOf();
  held.resolve();
  await expect(reader.locator('#page')).toHaveCount(0);
  await expect(reader.getByRole('button', { name: 'Share' })).toBeAttached();
  expect(Math.abs((await topOf()) - before)).toBeLessThan(3);
  await reader.unroute('**/api/atoll/v1/me*');
}

test('a publication is updated, read in an older version, and unpublished', async ({
  page,
  signedUp: { userName },
  stranger,
}) => {
  const published = await publishedNotebook(page.request, { title: `Versions of ${userName}` });
  const { path, fileId, projectId } = published;
  await replaceNotebook(page.request, published, article('second'));
  await page.goto(`/projects/${projectId}?file=${fileId}`);
  const dialog = await openDialog(page);
  await expect(dialog.getByText('The notebook has changed since this version.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Update to the newest version' }).click();
  await expect(dialog.getByText('Public · Version 2')).toBeVisible();
  await expect(dialog.getByText('The notebook has changed since this version.')).toHaveCount(0);

  const reader = await stranger({ viewport: phone });
  await reader.goto(path);
  await expect(reader.getByText('second. The gauge')).toBeVisible();
  await reader.getByRole('button', { name: 'Versions' }).click();
  await reader.getByRole('menuitem', { name: /^Version 1,/ }).click();
  await expect(reader.getByText('You are reading version 1.')).toBeVisible();
  await expect(reader.getByText('first. The gauge')).toBeVisible();
  await expect(reader).toHaveURL(/\?version=1$/);
  expect(await violationsOf(reader)).toEqual([]);
  await reader.getByRole('link', { name: 'Read the newest.' }).click();
  await expect(reader.getByText('second. The gauge')).toBeVisible();
  await reader.getByText('Contents', { exact: true }).click();
  await reader.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Low water' }).click();
  await expect(reader.getByRole('heading', { name: 'Low water' })).toBeInViewport();

  await dialog.getByRole('button', { name: 'Show versions' }).click();
  await dialog.getByRole('button', { name: 'Show again' }).click();
  await expect(dialog.getByText('Public · Version 1')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await expect(dialog.getByText('Public · Version 1')).toHaveCount(0);
  await expect(dialog.getByRole('radio', { name: 'Draft' })).toBeChecked();
  await reader.goto(path);
  await expect(heading(reader, 'This publication is not available')).toBeVisible();
});

test('a notebook is run fresh before it is published, and a failed run says why it was not', async ({
  page,
  signedUp: _,
}) => {
  await openNotebook(page, notebook(code('print(6 * 7)', 'sum')));
  const dialog = await openDialog(page);
  await dialog.getByRole('switch', { name: 'Run all cells before publishing' }).click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(dialog.getByText('Running the notebook in a clean kernel')).toBeVisible();
  await expect(dialog.getByText('Anyone with the link · Version 1')).toBeVisible(slow);
  const link = await dialog.getByRole('link', { name: /publications/ }).getAttribute('href');
  await page.goto(link ?? '');
  await expect(page.locator('.article .output').getByText('42')).toBeVisible();

  await openNotebook(page, notebook(code('1 / 0', 'sum')));
  const failing = await openDialog(page);
  await failing.getByRole('switch', { name: 'Run all cells before publishing' }).click();
  await failing.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(failing.getByText('Not published: the run failed')).toBeVisible(slow);
  await failing.getByRole('link', { name: 'Show run' }).click();
  await expect(page).toHaveURL(/run=/);
});

test('readers clap and undo it, and find publications by words and category', async ({
  page,
  signedUp: { userName },
  stranger,
}) => {
  const complaints = complaintsOf(page);
  const word = userName.replaceAll('_', '');
  const about = { title: `Harbour ${word}`, description: 'Nine harbours', category: 'education', type: 'report' };
  const { path } = await publishedNotebook(page.request, about);
  await page.goto(path);
  const clap = page.getByRole('button', { name: /^Clap/ });
  // It is shown before it is stored.
  const press = () => Promise.all([page.waitForResponse(/\/clap$/), clap.click()]);
  await press();
  await expect(clap).toHaveAccessibleName('Clap, 1 clap');
  await page.reload();
  await expect(clap).toHaveAttribute('aria-pressed', 'true');
  await press();
  await expect(clap).toHaveAccessibleName('Clap, 0 claps');
  await page.reload();
  await expect(clap).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(dialogOf(page).getByRole('textbox', { name: 'Title' })).toHaveValue(about.title);

  const reader = await stranger({ viewport: phone });
  await reader.goto(path);
  await expect(reader.getByRole('link', { name: 'Sign in to clap, 0 claps' })).toHaveAttribute(
    'href',
    `/sign-in?return_to=${encodeURIComponent(path)}`,
  );
  await reader.goto('/publications');
  await reader.getByRole('searchbox', { name: 'Search publications' }).fill(word);
  await expect(reader).toHaveURL(new RegExp(`search=${word}`));
  await expect(reader.getByRole('status')).toHaveText('1 publication');
  await reader.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Education' }).click();
  await expect(reader).toHaveURL(new RegExp(`/publications/category/education\\?search=${word}`));
  await reader.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'Articles' }).click();
  await expect(reader.getByText(`No publications match “${word}”.`)).toBeVisible();
  await reader.getByRole('navigation', { name: 'Types' }).getByRole('link', { name: 'Reports' }).click();
  expect(await violationsOf(reader)).toEqual([]);
  await reader.getByRole('link', { name: about.title }).click();
  await expect(heading(reader, about.title)).toBeVisible();
  await reader.goto(`/users/${userName}/published`);
  await expect(reader.getByRole('link', { name: about.title })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill(word);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`${about.title}.*Report by`) })
    .click();
  await expect(heading(page, about.title)).toBeVisible();
  expect(complaints).toEqual([]);
});

test('charts come alive in an article, and a reader runs a copy of their own', async ({
  page,
  signedUp: _,
  stranger,
}) => {
  const projectId = await makeProject(page.request);
  const chart = {
    'application/vnd.vegalite.v6+json': { mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { x: { field: 'a' } } },
  };
  const content = notebook(text('# Bars', 'top'), code('chart', 'bars', shows(chart)), code('print(6 * 7)', 'sum'));
  const fileId = await makeFile(page.request, projectId, 'bars.ipynb', content);
  const { path } = await publish(page.request, fileId, { title: 'Bars', execution_enabled: true });
  const reader = await stranger();
  await reader.goto(path);
  await expect(reader.locator('[data-cell="bars"] iframe')).toBeVisible(slow);
  await expect(reader.getByText('This chart is drawn when the page has loaded.')).toHaveCount(0);
  await reader.getByRole('button', { name: 'Run a copy' }).click();
  await expect(reader).toHaveURL(/\/projects\//);
  expect(reader.url()).not.toContain(projectId);
  await expect(reader.locator('[data-cell="sum"]')).toBeVisible(slow);
});

test('readers talk under an article: signed out they come back from signing in, and the author is led to it', async ({
  page,
  signedUp: { userName },
  stranger,
  another,
}) => {
  const complaints = complaintsOf(page);
  const { path } = await publishedNotebook(page.request, { title: `Talk of ${userName}` });
  const bob = await another();
  await bob.context.close();
  const reader = await stranger({ viewport: phone });
  await reader.goto(path);
  const theirs = reader.getByRole('region', { name: 'Comments' });
  await theirs.scrollIntoViewIfNeeded();
  await expect(theirs.getByText('No comments yet.')).toBeVisible();
  await theirs.getByRole('link', { name: 'Sign in' }).click();
  await reader.getByLabel('E-mail').fill(bob.email);
  await reader.getByRole('textbox', { name: 'Password' }).fill(password);
  await reader.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(reader).toHaveURL(new RegExp(`${path}#reader_comments$`));
  await theirs.getByRole('textbox', { name: 'Write a comment' }).fill('Is it *high*?');
  await theirs.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(theirs.getByRole('article')).toHaveCount(1);

  await page.goto('/notifications');
  await page.getByRole('link', { name: `commented on “Talk of ${userName}”` }).click();
  await expect(page).toHaveURL(new RegExp(`${path}#reader_comments$`));
  const own = page.getByRole('region', { name: 'Comments' });
  await expect(own).toBeInViewport();
  const first = own.getByRole('article').first();
  await expect(first.getByText('Is it high?')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Resolve' })).toHaveCount(0);
  await first.getByRole('button', { name: 'Like', exact: true }).click();
  await first.getByRole('button', { name: 'Reply' }).click();
  await own.getByRole('textbox', { name: 'Reply' }).fill('At noon.');
  await own.getByRole('textbox', { name: 'Reply' }).press('Control+Enter');
  // Both pages are open: what one says is on the other's at once.
  const answer = theirs.getByRole('article').filter({ hasText: 'At noon.' });
  await expect(answer).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Like, 1' })).toBeVisible();
  await answer.getByRole('button', { name: 'More' }).click();
  await reader.getByRole('menuitem', { name: 'Report' }).click();
  await theirs.getByRole('textbox', { name: 'What is wrong with this comment?' }).fill('Too short');
  await theirs.getByRole('button', { name: 'Report' }).click();
  await expect(reader.getByText('Reported to the owner.')).toBeVisible();
  expect(await violationsOf(reader)).toEqual([]);
  await theirs.getByRole('article').first().getByRole('button', { name: 'More' }).click();
  await reader.getByRole('menuitem', { name: 'Edit' }).click();
  await theirs.getByRole('textbox', { name: 'Edit comment' }).fill('Is it low?');
  await theirs.getByRole('button', { name: 'Save' }).click();
  await expect(first.getByText('Is it low?')).toBeVisible();
  await first.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(theirs.getByText('This comment was deleted.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
