import type { APIRequestContext, Page } from '@playwright/test';
import { adminCredentials, complaintsOf, expect, test } from './fixtures.ts';

const api = '/api/atoll/v1';
const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
const line = (page: Page, name: string) => page.getByRole('treeitem', { name });

async function startTyping(page: Page): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+Home');
}

async function makeProject(request: APIRequestContext, name: string, more: object = {}): Promise<string> {
  const answer = await request.post(`${api}/notebooks`, { data: { name, ...more } });
  expect(answer.status()).toBe(200);
  return (await answer.json()).id;
}

async function makeFile(request: APIRequestContext, id: string, name: string, text: string): Promise<string> {
  const slot = await (await request.post(`${api}/upload`, { data: { client_name: 'x.txt' } })).json();
  expect((await request.put(slot.url, { data: Buffer.from(text), headers: slot.headers })).ok()).toBe(true);
  const answer = await request.post(`${api}/notebooks/${id}/files-contents`, {
    data: { name, upload_id: slot.upload_id },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).id;
}

test('a project is made in two clicks and is in the list and at home', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  await page.goto('/projects');
  await expect(page.getByRole('heading', { name: 'Create your first project' })).toBeVisible();
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Notebook/ })
    .click();
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { level: 1, name: 'Untitled Notebook' })).toBeVisible();
  await expect(page).toHaveTitle('Untitled Notebook - Atoll');
  await expect(line(page, 'main.ipynb')).toBeVisible();
  await page.goto('/dashboard');
  await page.getByRole('link', { name: /Untitled Notebook/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Untitled Notebook' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('the address of a template makes exactly one project', async ({ page, signedUp: _ }) => {
  await page.goto('/projects/vlsm');
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}/);
  await page.goto('/projects');
  await expect(page.getByText('1 project', { exact: true })).toBeVisible();
});

test('one click on a template opens its notebook, and it runs', async ({ page, signedUp: _ }) => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Subnet/ }).click();
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}/);
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible();
  await expect(page.locator('[data-cell] [data-outputs], [data-cell] figure').first()).toBeVisible();
  // What does not exist yet is not offered.
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Notebook/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Canvas/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^AI app/ })).toHaveCount(0);
});

test('a full plan says so and what to do', async ({ page, signedUp: _ }) => {
  for (let count = 0; count < 5; count++) await makeProject(page.request, `Project ${count}`);
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Notebook/ })
    .click();
  await expect(page.getByRole('alert')).toContainText('The Free plan includes 5 projects');
  await page.getByRole('link', { name: 'Show my oldest projects' }).click();
  await expect(page).toHaveURL(/sort_direction=asc/);
});

test('a notebook dropped onto the list becomes a project', async ({ page, signedUp: _ }) => {
  await page.goto('/projects');
  const notebook = JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: 'markdown', id: 'a', metadata: {}, source: 'From my computer' }],
  });
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'Field notes.ipynb'));
    return data;
  }, notebook);
  await page
    .getByRole('heading', { name: 'Create your first project' })
    .dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByRole('heading', { level: 1, name: 'Field notes' })).toBeVisible();
  await expect(page.getByText('From my computer')).toBeVisible();
});

test('what is typed is saved by itself and is there after a reload', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Typing');
  await page.goto(`/projects/${id}`);
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByLabel('Name of the new file').fill('con');
  await expect(page.getByText('Is a name that some systems reserve')).toBeVisible();
  await page.getByLabel('Name of the new file').fill('hello.py');
  await page.keyboard.press('Enter');
  await startTyping(page);
  await page.keyboard.type('print("hello")');
  await saved(page);
  await page.reload();
  await expect(editor(page)).toContainText('print("hello")');
  await expect(page.getByRole('navigation', { name: 'Open files' })).toContainText('hello.py');
});

test('a lost line is told, and what was typed is saved when it is back', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Line');
  const file = await makeFile(page.request, id, 'notes.txt', 'before');
  await page.goto(`/projects/${id}?file=${file}`);
  await expect(editor(page)).toContainText('before');
  await page.route('**/v1/upload', (route) => route.abort());
  await startTyping(page);
  await page.keyboard.type('after ');
  await expect(page.getByText(/Not saved/).first()).toBeVisible();
  await page.unroute('**/v1/upload');
  await page.getByRole('button', { name: 'Try again' }).click();
  await saved(page);
});

test('files are renamed, moved, duplicated, deleted and brought back', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Tree');
  await makeFile(page.request, id, 'one.txt', '1');
  await makeFile(page.request, id, 'folder/two.txt', '2');
  await page.goto(`/projects/${id}`);
  await line(page, 'one.txt').click();
  await page.getByRole('tree').focus();
  await page.keyboard.press('F2');
  await page.getByLabel('New name').fill('first.txt');
  await page.keyboard.press('Enter');
  await expect(line(page, 'first.txt')).toBeVisible();
  await line(page, 'first.txt').dragTo(line(page, 'folder'));
  await expect(page.getByText('Moved “first.txt” to “folder”.')).toBeVisible();
  await expect(line(page, 'first.txt')).toHaveAttribute('aria-level', '2');
  await line(page, 'first.txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(line(page, 'first copy.txt')).toBeVisible();
  await line(page, 'folder').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(line(page, 'folder')).toBeHidden();
  await page.getByRole('status').filter({ hasText: 'deleted' }).getByRole('button', { name: 'Undo' }).click();
  await expect(line(page, 'two.txt')).toBeVisible();
  await page.reload();
  await expect(line(page, 'first copy.txt')).toBeVisible();
});

test('the tree is walked by keyboard', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Keys');
  await makeFile(page.request, id, 'a/b.txt', 'inside');
  await makeFile(page.request, id, 'c.txt', 'outside');
  await page.goto(`/projects/${id}?file=none`);
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(editor(page)).toContainText('inside');
  await page.getByRole('tree').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.getByText('2 items deleted.')).toBeVisible();
  await expect(page.getByRole('treeitem')).toHaveCount(0);
});

test('several files are uploaded, one of them after a second try', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Uploads');
  await makeFile(page.request, id, 'first.txt', '');
  await page.goto(`/projects/${id}`);
  await expect(line(page, 'first.txt')).toBeVisible();
  let refused = 1;
  await page.route('**/files-contents', (route) =>
    refused-- > 0
      ? route.fulfill({
          status: 500,
          json: { message: 'busy just now', status: 500, code: 'internal_server_error', fields: {}, details: {} },
        })
      : route.continue(),
  );
  await page.locator('input[type=file][multiple]').setInputFiles([
    { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') },
    { name: 'big.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2 * 1024 * 1024) },
  ]);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads).toContainText('Busy just now');
  await uploads.getByRole('button', { name: /^Try/ }).click();
  await expect(line(page, 'table.csv')).toBeVisible();
  await expect(line(page, 'big.bin')).toBeVisible();
  await line(page, 'big.bin').click();
  await expect(page.getByText(/2 MB\. No preview available|This is not a text file/)).toBeVisible();
});

test('versions are named, compared and restored', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'History');
  const file = await makeFile(page.request, id, 'notes.md', 'the first text\n');
  await page.goto(`/projects/${id}?file=${file}&view=code`);
  await startTyping(page);
  await page.keyboard.type('something new, ');
  await saved(page);
  await page.getByRole('button', { name: 'Version history' }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Name this version').fill('With the new part');
  await page.getByRole('button', { name: 'Name it' }).click();
  await expect(versions).toContainText('With the new part (now)');
  await versions.getByRole('button', { name: /^Version 1/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Versions of notes.md' });
  await expect(dialog.getByRole('textbox', { name: /^Version 1/ })).toContainText('the first text');
  await expect(dialog.getByRole('textbox', { name: /^With the new part/ })).toContainText(
    'something new, the first text',
  );
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await expect(editor(page)).toHaveText(/^the first text/);
  await expect(versions).toContainText('Restored from version 1');
});

test('two people save the same text: the second sees both and decides', async ({
  page,
  browser,
  baseURL,
  signedUp,
}) => {
  const id = await makeProject(page.request, 'Together');
  const file = await makeFile(page.request, id, 'shared.txt', 'common\n');
  const elsewhere = await browser.newContext({ baseURL });
  await elsewhere.request.post(`${api}/sign_in`, { data: adminCredentials });
  // Without a live connection nobody is told that the other is writing.
  await elsewhere.route('**/api/atoll/socket/**', (route) => route.abort());
  await elsewhere.routeWebSocket(/socket/, (socket) => socket.close());
  const other = await elsewhere.newPage();
  for (const each of [page, other]) {
    await each.goto(`/projects/${id}?file=${file}`);
    await expect(editor(each)).toContainText('common');
  }
  await startTyping(page);
  await page.keyboard.type('theirs ');
  await saved(page);
  await startTyping(other);
  await other.keyboard.type('mine ');
  await expect(other.getByRole('alert').filter({ hasText: signedUp.userName })).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Their text' })).toContainText('theirs common');
  await expect(other.getByRole('textbox', { name: 'Your text' })).toContainText('mine common');
  await other.getByRole('textbox', { name: 'Your text' }).click();
  await other.keyboard.press('Control+Home');
  await other.keyboard.type('theirs and ');
  await other.getByRole('button', { name: 'Save merged version' }).click();
  await expect(editor(other)).toContainText('theirs and mine common');
  await saved(other);
  await page.reload();
  await expect(editor(page)).toContainText('theirs and mine common');
  await elsewhere.close();
});

test('a project nobody may edit is only read', async ({ page, browser, baseURL, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Open one', { visibility: 'open' });
  const file = await makeFile(page.request, id, 'a.txt', 'for everybody');
  const stranger = await browser.newContext({ baseURL });
  const theirs = await stranger.newPage();
  await theirs.goto(`/projects/${id}?file=${file}`);
  await expect(theirs.getByText('Read only')).toBeVisible();
  await expect(editor(theirs)).toContainText('for everybody');
  await expect(editor(theirs)).toHaveAttribute('contenteditable', 'false');
  await expect(theirs.getByRole('button', { name: 'New file' })).toBeHidden();
  await stranger.close();
});

test('what people upload does not run as this site', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Hostile');
  const script = 'try { parent.document.title = "owned" } catch (error) { document.body.append("kept out") }';
  const file = await makeFile(page.request, id, 'page.html', `<body><script>${script}</script></body>`);
  await page.goto(`/projects/${id}?file=${file}&view=preview`);
  await expect(page.frameLocator('iframe').getByText('kept out')).toBeVisible();
  await expect(page).toHaveTitle('Hostile - Atoll');
});

test('the list’s choices are in the address and survive reload and Back', async ({ page, signedUp: _ }) => {
  await makeProject(page.request, 'Alpha', { kind: 'notebook' });
  await makeProject(page.request, 'Beta', { kind: 'canvas' });
  await page.goto('/projects');
  await expect(page.getByRole('link', { name: 'Alpha' })).toBeVisible();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: 'Canvas' }).click();
  await expect(page.getByRole('link', { name: 'Alpha' })).toBeHidden();
  await expect(page).toHaveURL(/type\[\]=canvas/);
  await page.getByRole('img', { name: 'Table' }).click();
  await expect(page.getByRole('table')).toContainText('Beta');
  await page.reload();
  await expect(page.getByRole('table')).toContainText('Beta');
  await expect(page.getByRole('table')).not.toContainText('Alpha');
  await page.goBack();
  await expect(page.getByRole('table')).toBeHidden();
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No projects match' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(page.getByRole('link', { name: 'Alpha' })).toBeVisible();
});

test('a project is changed, deleted, restored and deleted permanently', async ({ page, signedUp: _ }) => {
  await makeProject(page.request, 'Draft');
  await page.goto('/projects');
  await page.getByRole('button', { name: 'Actions for Draft' }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Final');
  await dialog.getByLabel('Visibility').selectOption('open');
  await dialog.getByRole('combobox', { name: 'Tags' }).or(dialog.getByLabel('Tags')).first().fill('report');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'Final' })).toBeVisible();
  await expect(page.getByText('#report')).toBeVisible();
  const remove = async () => {
    await page.getByRole('button', { name: 'Actions for Final' }).click();
    await page.getByRole('menuitem', { name: 'Move to bin' }).click();
    await expect(page.getByRole('link', { name: 'Final' })).toBeHidden();
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: 'Final' })).toBeVisible();
  await remove();
  await page.getByRole('link', { name: 'Bin' }).click();
  await page.getByRole('button', { name: 'Actions for Final' }).click();
  await page.getByRole('menuitem', { name: 'Delete permanently…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'The bin is empty' })).toBeVisible();
});

test('a secret is kept, changed and forgotten, and never shown', async ({ page, signedUp: _ }) => {
  await page.goto('/profile?section=secrets');
  await page.getByLabel('Name').fill('1bad');
  await page.getByLabel('Value', { exact: true }).fill('hunter2');
  await page.getByRole('button', { name: 'Create secret' }).click();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name').fill('API_TOKEN');
  await page.getByRole('button', { name: 'Create secret' }).click();
  await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('API_TOKEN');
  await page.getByRole('button', { name: 'Change API_TOKEN' }).click();
  await page.getByLabel('New value').fill('hunter3');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/changed/)).toBeVisible();
  expect(await page.content()).not.toContain('hunter');
  await page.getByRole('button', { name: 'Delete API_TOKEN' }).click();
  await page.getByRole('button', { name: 'Delete API_TOKEN permanently' }).click();
  await expect(page.getByText('No secrets yet.')).toBeVisible();
});

test('projects are found and made from the command palette', async ({ page, signedUp: _ }) => {
  await makeProject(page.request, 'Needle in a haystack');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('needle');
  await expect(page.getByRole('dialog').getByText('in a haystack')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Needle in a haystack' })).toBeVisible();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('new proj');
  await expect(page.getByRole('dialog').getByRole('button', { name: /^New project/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New project' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('files are in a sheet and the text can be edited', async ({ page, signedUp: _ }) => {
    const id = await makeProject(page.request, 'Pocket');
    await makeFile(page.request, id, 'one.txt', 'first');
    await makeFile(page.request, id, 'two.txt', 'second');
    await page.goto(`/projects/${id}`);
    await page.getByRole('button', { name: 'Show files' }).click();
    await line(page, 'two.txt').click();
    await expect(editor(page)).toContainText('second');
    await startTyping(page);
    await page.keyboard.type('my ');
    await saved(page);
  });
});
