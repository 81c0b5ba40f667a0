import { adminCredentials, call, complaintsOf, expect, makeFile, makeProject, phone, test } from './fixtures.ts';
import { editor, line, rename, saved, typeAtStart } from './project-page.ts';

test('projects are made in two clicks, by the address of a template and from the gallery, until the plan is full', async ({
  page,
  signedUp: _,
}) => {
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

  // The address of a template makes exactly one.
  await page.goto('/projects/vlsm');
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}/);
  await page.goto('/projects');
  await expect(page.getByText('2 projects', { exact: true })).toBeVisible();

  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^All \d+ templates$/ }).click();
  await page.getByRole('button', { name: /^Subnet/ }).click();
  await page.getByRole('button', { name: 'Use this template' }).click();
  await expect(page).toHaveURL(/\/projects\/[0-9a-f-]{36}/);
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible();
  await expect(page.locator('[data-cell] [data-outputs], [data-cell] figure').first()).toBeVisible();
  // What does not exist yet is not offered.
  await page.goto('/projects');
  await page.getByRole('button', { name: 'New project' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Notebook/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Canvas/ })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^AI app/ })).toHaveCount(0);

  for (const name of ['Fourth', 'Fifth']) await makeProject(page.request, name);
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

test('what is typed is saved by itself, is there after a reload, and is saved later where the line was lost', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'Typing');
  await page.goto(`/projects/${id}`);
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByLabel('Name of the new file').fill('con');
  await expect(page.getByText('Is a name that some systems reserve')).toBeVisible();
  await page.getByLabel('Name of the new file').fill('hello.py');
  await page.keyboard.press('Enter');
  await typeAtStart(page, 'print("hello")');
  await saved(page);
  await page.reload();
  await expect(editor(page)).toContainText('print("hello")');
  await expect(page.getByRole('navigation', { name: 'Open files' })).toContainText('hello.py');

  // The line is lost, and back.
  await page.route('**/v1/upload', (route) => route.abort());
  await typeAtStart(page, 'after ');
  await expect(page.getByText(/Not saved/).first()).toBeVisible();
  await page.unroute('**/v1/upload');
  await page.getByRole('button', { name: 'Try again' }).click();
  await saved(page);
});

test('files are renamed, moved, duplicated, deleted and brought back; the tree is walked by keyboard, and filled by uploads', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'Tree');
  await makeFile(page.request, id, 'one.txt', '1');
  await makeFile(page.request, id, 'folder/two.txt', '2');
  await page.goto(`/projects/${id}`);
  await rename(page, 'one.txt', 'first.txt');
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

  // By keyboard, in another project.
  const keys = await makeProject(page.request, 'Keys');
  await makeFile(page.request, keys, 'a/b.txt', 'inside');
  await makeFile(page.request, keys, 'c.txt', 'outside');
  await page.goto(`/projects/${keys}?file=none`);
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

  // Several come at once, one of them after a second try.
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
  await typeAtStart(page, 'something new, ');
  await saved(page);
  await page.getByRole('button', { name: 'Version history' }).click();
  const versions = page.getByRole('list', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await page.getByLabel('Name this version').fill('With the new part');
  await page.getByRole('button', { name: 'Save version' }).click();
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

test('two people save the same text: the second sees both and decides', async ({ page, stranger, signedUp }) => {
  const id = await makeProject(page.request, 'Together');
  const file = await makeFile(page.request, id, 'shared.txt', 'common\n');
  const other = await stranger();
  const elsewhere = other.context();
  await call(elsewhere.request, 'POST', '/sign_in', adminCredentials);
  // Without a live connection nobody is told that the other is writing.
  await elsewhere.route('**/api/atoll/socket/**', (route) => route.abort());
  await elsewhere.routeWebSocket(/socket/, (socket) => socket.close());
  for (const each of [page, other]) {
    await each.goto(`/projects/${id}?file=${file}`);
    await expect(editor(each)).toContainText('common');
  }
  await typeAtStart(page, 'theirs ');
  await saved(page);
  await typeAtStart(other, 'mine ');
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
});

test('what people upload does not run as this site', async ({ page, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Hostile');
  const script = 'try { parent.document.title = "owned" } catch (error) { document.body.append("kept out") }';
  const file = await makeFile(page.request, id, 'page.html', `<body><script>${script}</script></body>`);
  await page.goto(`/projects/${id}?file=${file}&view=preview`);
  await expect(page.frameLocator('iframe').getByText('kept out')).toBeVisible();
  await expect(page).toHaveTitle('Hostile - Atoll');
});

test('the list’s choices are in the address; projects are changed, deleted, restored, and found by the command palette', async ({
  page,
  signedUp: _,
}) => {
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

  // One of them is changed, put into the bin, taken out and deleted.
  await page.getByRole('button', { name: 'Actions for Alpha' }).click();
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

  // By keyboard from everywhere.
  await makeProject(page.request, 'Needle in a haystack');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('needle');
  await expect(page.getByRole('dialog').getByText('in a haystack')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Needle in a haystack' })).toBeVisible();
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search' }).fill('new proj');
  await expect(page.getByRole('dialog').getByRole('button', { name: /^New project/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New project' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('files are in a sheet and the text can be edited', async ({ page, signedUp: _ }) => {
    const id = await makeProject(page.request, 'Pocket');
    await makeFile(page.request, id, 'one.txt', 'first');
    await makeFile(page.request, id, 'two.txt', 'second');
    await page.goto(`/projects/${id}`);
    await page.getByRole('button', { name: 'Show files' }).click();
    await line(page, 'two.txt').click();
    await expect(editor(page)).toContainText('second');
    await typeAtStart(page, 'my ');
    await saved(page);
  });
});
