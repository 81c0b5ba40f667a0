import type { Page } from '@playwright/test';
import { call, expect, share, test } from './fixtures.ts';
import {
  cell,
  cells,
  choose,
  code,
  input,
  notebook,
  openNotebook,
  output,
  saved,
  slow,
  text,
  writeIn,
} from './notebook-page.ts';

async function unshare(page: Page, project: string, userId: string): Promise<void> {
  const grants = `/notebooks/${project}/user_permissions`;
  const { entries } = await call(page.request, 'GET', grants);
  const { id } = entries.find(({ user }: { user: { id: string } }) => user.id === userId);
  await call(page.request, 'DELETE', `${grants}/${id}`);
}

/** Being offline, in a browser that would keep an open connection all the same. */
async function tunnel(page: Page): Promise<() => Promise<void>> {
  const open: (() => void)[] = [];
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    open.push(() => {
      server.close();
      socket.close({ code: 4000 });
    });
  });
  return async () => {
    await page.context().setOffline(true);
    for (const close of open) close();
  };
}

test('who may only look can change nothing; two who may write see each other, write in one cell and lead each other to it', async ({
  page,
  another,
  signedUp: _,
}) => {
  const { project, path } = await openNotebook(page, notebook(code('print("seen")', 'a'), code('"b"', 'b')));
  await choose(page, 'a');
  await page.keyboard.press('Shift+Enter');
  await expect(output(page, 'a')).toHaveText('seen', slow);
  const { page: other, id: userId } = await another();
  await share(page.request, project, userId, ['view_source']);
  await other.goto(path);
  await expect(output(other, 'a')).toHaveText('seen');
  await expect(other.getByText('View only')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Run cell' })).toHaveCount(0);
  await choose(other, 'a');
  await other.keyboard.press('d');
  await other.keyboard.press('d');
  await other.keyboard.press('b');
  await expect(cells(other)).toHaveCount(2);

  await share(page.request, project, userId, ['view', 'edit', 'execute']);
  await expect(other.getByRole('toolbar').getByText('Saved')).toBeVisible();
  await writeIn(other, 'b');
  await other.keyboard.type(' # mine');
  await expect(cell(page, 'b')).toContainText('# mine');
  await share(page.request, project, userId, ['view_source']);
  await expect(other.getByText('View only')).toBeVisible();
  await other.keyboard.type('never');
  await expect(cell(other, 'b')).not.toContainText('never');

  // Another notebook, in which both may write.
  const next = await openNotebook(page, notebook(text('# Plan', 'intro'), code('x = 1', 'a'), code('', 'b')));
  await share(page.request, next.project, userId, ['view', 'edit', 'execute']);
  await other.goto(next.path);
  await expect(cell(other, 'a')).toBeVisible();

  await writeIn(page, 'a');
  await page.keyboard.type('0\nprint(x)');
  await expect(cell(other, 'a')).toContainText('print(x)');
  await expect(cell(other, 'a').getByRole('img', { name: /is in this cell/ })).toBeVisible();

  // What is run there is seen here.
  await page.keyboard.press('Shift+Enter');
  await expect(output(other, 'a')).toHaveText('10', slow);

  await writeIn(page, 'a');
  await page.keyboard.type('#');
  await expect(cell(other, 'a')).toContainText('print(x)#');
  await writeIn(other, 'a');
  await other.keyboard.type(' mine');
  await expect(cell(page, 'a')).toContainText('# mine');
  // Both at once, one in each line: letter by letter, neither has to wait, and each has its cursor where it was.
  await page.keyboard.press('Control+Home');
  for (const letter of 'y = ') await Promise.all([page.keyboard.type(letter), other.keyboard.type('!')]);
  for (const each of [page, other]) {
    await expect(cell(each, 'a').locator('.cm-line').first()).toContainText('y = ');
    await expect(cell(each, 'a').locator('.cm-line').last()).toContainText('mine!!!!');
  }
  await page.keyboard.type('z = ');
  await other.keyboard.type('?');
  for (const each of [page, other]) {
    await expect(cell(each, 'a').locator('.cm-line').first()).toHaveText(/^y = z = (Ada Lovelace)?x = 10$/);
    await expect(cell(each, 'a').locator('.cm-line').last()).toContainText(/mine!!!!\?/);
  }
  for (let letters = 0; letters < 5; letters++) await other.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  // Their name is where they write, in the middle of a word as well.
  await other.keyboard.press('Home');
  await other.keyboard.press('ArrowRight');
  await other.keyboard.type('s');
  await expect(cell(page, 'a').locator('.cm-line').last()).toHaveText('psAda Lovelacerint(x)# mine');
  await other.keyboard.press('Backspace');
  await expect(cell(page, 'a').locator('.cm-line').last()).toHaveText('pAda Lovelacerint(x)# mine');

  await choose(other, 'b');
  await other.keyboard.press('b');
  await expect(cells(page)).toHaveCount(4);
  await saved(other);

  // What is said about a cell leads to it, in a notebook that is open already; the same link once more leads there again.
  const data = { content: 'What is the plan?', file_id: next.file, cell_id: 'intro' };
  await call(other.request, 'POST', `/notebooks/${next.project}/comments`, data);
  const bell = page.getByRole('button', { name: /^Notifications/ });
  for (const _ of ['first', 'again']) {
    await choose(page, 'b');
    await bell.click();
    await page
      .getByRole('dialog', { name: 'Notifications' })
      .getByRole('link', { name: /comment/ })
      .first()
      .click();
    await expect(cell(page, 'intro')).toHaveAttribute('data-mode', 'command');
  }
});

test('who may run moves inputs and cannot write; what was typed offline is kept beside what others wrote', async ({
  page,
  another,
  signedUp: _,
}) => {
  const depth = input({ kind: 'checkbox', name: 'deep', label: 'Deep water', value: false }, 'i');
  const { project, path } = await openNotebook(
    page,
    notebook(depth, code('first = 1\n\nlast = 1', 'a'), code('same', 'b')),
  );
  const { page: other, id: userId } = await another();
  await share(page.request, project, userId, ['view_source', 'execute']);
  const cut = await tunnel(other);
  await other.goto(path);
  await expect(other.getByText('Inputs only')).toBeVisible();
  await cell(other, 'i')
    .getByRole('checkbox', { name: /Deep water/ })
    .check();
  await expect(cell(page, 'i').getByRole('checkbox', { name: /Deep water/ })).toBeChecked();
  await expect(cell(other, 'i').getByRole('button', { name: /Settings/ })).toHaveCount(0);
  await cell(other, 'a').getByText('first').click();
  await other.keyboard.type('never');
  await other.keyboard.press('Escape');
  for (const key of ['d', 'd', 'b']) await other.keyboard.press(key);
  await expect(cells(other)).toHaveCount(3);
  await expect(cell(other, 'a')).not.toContainText('never');

  await share(page.request, project, userId, ['view', 'edit', 'execute']);
  await expect(other.getByRole('toolbar').getByText('Saved')).toBeVisible();
  await cut();
  await expect(other.getByText(/^Offline/)).toBeVisible();
  await writeIn(other, 'a');
  await other.keyboard.type('23');
  await writeIn(other, 'b');
  await other.keyboard.type(' mine');
  await other.keyboard.press('Escape');
  await expect(other.getByText('Not saved yet')).toBeVisible();
  await cell(page, 'a').getByText('first').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('zero = 0\n');
  await writeIn(page, 'b');
  await page.keyboard.type(' theirs');
  await choose(page, 'i');
  await saved(page);
  await other.context().setOffline(false);
  for (const each of [page, other]) {
    await expect(cells(each)).toHaveCount(4);
    await expect(cell(each, 'a')).toContainText(/zero = 0\s*first = 1\s*last = 123/);
    // With the name at the other's cursor in it.
    await expect(cell(each, 'b')).toContainText(/same thei(Ada Lovelace)?rs/);
    await expect(cells(each).nth(3)).toContainText('same mine');
  }
  await saved(other);

  // Closing the window keeps it, too; and so does losing the right to write.
  await cut();
  await expect(other.getByText(/^Offline/)).toBeVisible();
  await writeIn(other, 'a');
  await other.keyboard.type('4');
  await expect(other.getByText('Not saved yet')).toBeVisible();
  await other.close();
  await other.context().setOffline(false);
  const again = await other.context().newPage();
  const cutAgain = await tunnel(again);
  await again.goto(path);
  await expect(cell(page, 'a')).toContainText('last = 1234');
  await saved(again);
  await cutAgain();
  await expect(again.getByText(/^Offline/)).toBeVisible();
  await writeIn(again, 'b');
  await again.keyboard.type(' and later');
  await share(page.request, project, userId, ['view_source', 'clone']);
  await again.context().setOffline(false);
  const lost = again.getByRole('alert', { name: 'Unsaved changes' });
  await expect(lost).toContainText('and later');
  await expect(again.getByText('View only')).toBeVisible();
  // Also for who may not see the project at all any more, until they may again.
  await unshare(page, project, userId);
  await expect(again.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await expect(again.getByRole('region', { name: 'Unsaved changes' })).toContainText('and later');
  await share(page.request, project, userId, ['view_source', 'clone']);
  await expect(lost).toContainText('and later');
  await lost.getByRole('button', { name: 'Open a copy with these changes' }).click();
  await expect(again).not.toHaveURL(new RegExp(project));
  await expect(cell(again, 'b')).toContainText('and later');
  await saved(again);
  await expect(cell(page, 'b')).not.toContainText('and later');
});

test('what is said about a cell stays with it wherever it goes', async ({ page, signedUp: _ }) => {
  await openNotebook(page, notebook(code('"one"', 'a'), code('"two"', 'b')));
  await choose(page, 'a');
  await cell(page, 'a').getByRole('button', { name: 'Comment on cell 1' }).click();
  const panel = page.getByRole('complementary', { name: 'comments' });
  await panel.getByRole('textbox', { name: 'Comment on this cell' }).click();
  await page.keyboard.type('Is this still right?');
  await panel.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(cell(page, 'a').getByRole('button', { name: '1 comment on cell 1' })).toBeVisible();
  await choose(page, 'a');
  await page.keyboard.press('Control+Shift+ArrowDown');
  await expect(cell(page, 'a').getByRole('button', { name: '1 comment on cell 2' })).toBeVisible();
  await saved(page);
  await page.reload();
  await cell(page, 'a').getByRole('button', { name: '1 comment on cell 2' }).click();
  await expect(panel.getByText('Is this still right?')).toBeVisible();
});
