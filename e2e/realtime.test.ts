import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import { violationsOf } from './axe.ts';
import {
  adminCredentials,
  api,
  call,
  complaintsOf,
  expect,
  makeFile,
  makeProject,
  newPerson,
  openLive,
  signUp,
  test,
} from './fixtures.ts';
import { editor, line, people, rename, saved, typeAtStart } from './project-page.ts';
import { startServer } from './server.ts';

/** Who may do everything in everybody's projects, in a browser of their own. */
async function administrator(stranger: (options?: BrowserContextOptions) => Promise<Page>): Promise<Page> {
  const page = await stranger();
  await call(page.request, 'POST', '/sign_in', adminCredentials);
  return page;
}

/** Which way the live connection takes, as the browser sees it. */
function wires(page: Page): { websockets: number; polls: number } {
  const seen = { websockets: 0, polls: 0 };
  page.on('websocket', (socket) => socket.on('framereceived', () => seen.websockets++));
  page.on('response', (response) => {
    if (response.url().includes('/socket/longpoll')) seen.polls++;
  });
  return seen;
}

test('what one does to the files shows for the other at once, and who is here, on which file, and where in it', async ({
  page,
  stranger,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  const id = await makeProject(page.request, 'Shared tree');
  await makeFile(page.request, id, 'first.txt', 'one');
  const other = await administrator(stranger);
  await page.goto(`/projects/${id}`);
  await other.goto(`/projects/${id}`);
  await expect(people(page)).toBeVisible();
  await expect(people(other).getByRole('button', { name: /^Ada Lovelace/ })).toBeVisible();

  await other.getByRole('button', { name: 'New file' }).click();
  await other.getByLabel('Name of the new file').fill('second.txt');
  await other.keyboard.press('Enter');
  await expect(line(page, 'second.txt')).toBeVisible();

  await rename(other, 'second.txt', 'renamed.txt');
  await expect(line(page, 'renamed.txt')).toBeVisible();
  await expect(line(page, 'second.txt')).toBeHidden();

  await line(other, 'renamed.txt').click({ button: 'right' });
  await other.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(line(page, 'renamed.txt')).toBeHidden();
  await other.getByRole('status').filter({ hasText: 'deleted' }).getByRole('button', { name: 'Undo' }).click();
  await expect(line(page, 'renamed.txt')).toBeVisible();

  await call(other.request, 'PATCH', `/notebooks/${id}`, { name: 'Another name' });
  await expect(page.getByRole('heading', { level: 1, name: 'Another name' })).toBeVisible();
  await expect(page).toHaveTitle('Another name - Atoll');
  expect(complaints).toEqual([]);

  const here = await makeFile(page.request, id, 'left.txt', 'one\ntwo\nthree\n');
  await makeFile(page.request, id, 'right.txt', 'elsewhere');
  await page.goto(`/projects/${id}?file=${here}`);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await other.goto(`/projects/${id}?file=${here}`);
  // The name on the cursor, also of who moved it while nobody else was there.
  const lines = editor(other).locator('.cm-line');
  await expect(lines.nth(2).getByText('Ada Lovelace')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(lines.nth(1).getByText('Ada Lovelace')).toBeVisible();
  await expect(line(other, 'left.txt')).toContainText('Ada Lovelace');
  await line(page, 'right.txt').click();
  await expect(line(other, 'right.txt')).toContainText('Ada Lovelace');
  await expect(editor(other).getByText('Ada Lovelace')).toBeHidden();
  await people(other).getByRole('button', { name: 'Ada Lovelace, on right.txt' }).click();
  await expect(editor(other)).toContainText('elsewhere');
  await page.goto('/projects');
  await expect(people(other)).toBeHidden();
});

/** Wherever the name of somebody else is in it. */
const expectText = (page: Page, text: string) =>
  expect.poll(async () => (await editor(page).textContent())?.replaceAll('Ada Lovelace', '')).toBe(text);

test('one writes, the other reads along, takes over, and nothing is lost', async ({ page, stranger, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Turns');
  const file = await makeFile(page.request, id, 'shared.txt', 'common\n');
  const other = await administrator(stranger);
  for (const each of [page, other]) {
    await each.goto(`/projects/${id}?file=${file}`);
    await expect(editor(each)).toContainText('common');
    await expect(editor(each)).toHaveAttribute('contenteditable', 'true');
  }
  await expect(people(page)).toBeVisible();
  await typeAtStart(page, 'first ');
  await expect(other.getByText('Ada Lovelace is editing this file')).toBeVisible();
  await expect(editor(other)).toHaveAttribute('contenteditable', 'false');
  // With their name where they write.
  await expect(editor(other)).toHaveText('first Ada Lovelacecommon');
  await expect(other.getByText('Updated by Ada Lovelace')).toBeVisible();
  await saved(page);
  expect(await violationsOf(other)).toEqual([]);

  // What is typed now cannot be saved before the other takes over.
  await page.route('**/v1/upload', (route) => route.abort());
  await page.keyboard.type('unsaved ');
  await expect(page.getByText(/Not saved/).first()).toBeVisible();
  await other.getByRole('button', { name: 'Take over' }).click();
  await expect(editor(other)).toHaveAttribute('contenteditable', 'true');
  await expect(page.getByText(/took over/)).toBeVisible();
  await expect(editor(page)).toHaveAttribute('contenteditable', 'false');
  await expectText(page, 'first unsaved common');
  await page.unroute('**/v1/upload');

  await typeAtStart(other, 'second ');
  await saved(other);
  await page.getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Saved text' })).toContainText('second first common');
  await expect(dialog.getByRole('textbox', { name: 'Your text' })).toContainText('first unsaved common');
  await dialog.getByRole('button', { name: 'Close' }).or(dialog.locator('.mantine-Modal-close')).first().click();

  // Both texts are there when it is taken back.
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByRole('textbox', { name: 'Their text' })).toContainText('second first common');
  await expect(page.getByRole('textbox', { name: 'Your text' })).toContainText('first unsaved common');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await saved(page);
  await expectText(other, 'first unsaved common');

  // Whoever closes the file leaves it to the other.
  await page.getByRole('button', { name: 'Close shared.txt' }).click();
  await expect(editor(other)).toHaveAttribute('contenteditable', 'true');
});

test('what happened while a browser was offline is there when it is back', async ({ page, baseURL, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Tunnel');
  const file = await makeFile(page.request, id, 'notes.txt', 'before\n');
  await openLive(page, `/projects/${id}?file=${file}`);
  await expect(editor(page)).toContainText('before');
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline/)).toBeVisible();
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const outside = (path: string, method: string, body: object) =>
    fetch(`${baseURL}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', origin: baseURL ?? '' },
      body: JSON.stringify(body),
    });
  expect((await outside(`${api}/notebooks/${id}/files-contents`, 'POST', { name: 'meanwhile.txt' })).status).toBe(200);
  const again = page.waitForEvent('websocket');
  await page.context().setOffline(false);
  await again;
  await expect(line(page, 'meanwhile.txt')).toBeVisible();
  await expect(page.getByText(/^Offline/)).toBeHidden();
});

test('a server that restarts is found again, by websocket, and nothing is missed', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-e2e-restart-'));
  let server = await startServer({ ATOLL_DATA: folder });
  const { url } = server;
  const context = await browser.newContext({ baseURL: url });
  await signUp(context, url, newPerson());
  const page = await context.newPage();
  const id = await makeProject(context.request, 'Steady');
  await makeFile(context.request, id, 'first.txt', '');
  await openLive(page, `/projects/${id}`);
  // All of the page is there, not only what every page has.
  await expect(line(page, 'first.txt')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await server.stop();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  server = await startServer({ ATOLL_DATA: folder, PORT: new URL(url).port, ATOLL_URL: url });
  await makeFile(context.request, id, 'meanwhile.txt', '');
  await expect(line(page, 'meanwhile.txt')).toBeVisible();
  await expect(page.getByText('Reconnecting…')).toBeHidden();
  const seen = wires(page);
  await makeFile(context.request, id, 'after.txt', '');
  await expect(line(page, 'after.txt')).toBeVisible();
  expect(seen.polls).toBe(0);
  await context.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('without websockets it is live by polling, and by websocket again after a reload', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'Proxy');
  await makeFile(page.request, id, 'first.txt', '');
  let isBlocked = true;
  await page.routeWebSocket(/\/socket\/websocket/, (socket) => {
    if (isBlocked) void socket.close({ code: 1011 });
    else socket.connectToServer();
  });
  const seen = wires(page);
  await page.goto(`/projects/${id}`);
  await expect(line(page, 'first.txt')).toBeVisible();
  await expect.poll(() => seen.polls).toBeGreaterThan(1);
  await makeFile(page.request, id, 'polled.txt', '');
  await expect(line(page, 'polled.txt')).toBeVisible();

  isBlocked = false;
  // The page that goes polls until it is gone.
  page.once('framenavigated', () => {
    seen.polls = 0;
  });
  await page.reload();
  await expect(line(page, 'polled.txt')).toBeVisible();
  await makeFile(page.request, id, 'pushed.txt', '');
  await expect(line(page, 'pushed.txt')).toBeVisible();
  expect(seen.polls).toBe(0);
});

test('a project nobody may edit is only read, and who loses the right is told so and what to do', async ({
  page,
  stranger,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'For a while', { visibility: 'open' });
  const file = await makeFile(page.request, id, 'a.txt', 'for everybody');
  const theirs = await stranger();
  await page.goto(`/projects/${id}?file=${file}`);
  await theirs.goto(`/projects/${id}?file=${file}`);
  await expect(theirs.getByText('Read only')).toBeVisible();
  await expect(editor(theirs)).toContainText('for everybody');
  await expect(editor(theirs)).toHaveAttribute('contenteditable', 'false');
  await expect(theirs.getByRole('button', { name: 'New file' })).toBeHidden();
  await expect(people(page)).toBeVisible();
  await call(page.request, 'PATCH', `/notebooks/${id}`, { visibility: 'private' });
  await expect(theirs.getByRole('heading', { name: 'You no longer have access to this project' })).toBeVisible();
  await expect(people(page)).toBeHidden();
  await theirs.getByRole('link', { name: 'Go to projects' }).click();
  await expect(theirs).toHaveURL(/\/projects$/);
});

test('lists follow what happens to projects elsewhere, from what was loaded before the page was connected', async ({
  page,
  signedUp: _,
}) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  let sessions = 0;
  page.on('request', (request) => request.url().includes(`${api}/me?`) && sessions++);
  const unheld = Promise.withResolvers<void>();
  await page.route('**/socket_token*', async (route) => {
    await unheld.promise;
    await route.continue();
  });
  await page.goto('/projects');
  await expect(page.getByRole('heading', { name: 'Create your first project' })).toBeVisible();
  const id = await makeProject(page.request, 'Made elsewhere');
  unheld.resolve();
  await expect(page.getByRole('link', { name: 'Made elsewhere' })).toBeVisible();
  // Connecting is no reason to ask again who is here.
  expect(sessions).toBe(1);
  await page.request.delete(`${api}/notebooks/${id}`);
  await expect(page.getByRole('link', { name: 'Made elsewhere' })).toBeHidden();

  // Pages are counted by the pattern of their address.
  const counted = await makeProject(page.request, 'Counted');
  await page.goto(`/projects/${counted}?file=secret`);
  const tracked = () => sent.filter((frame) => frame.includes('"track"'));
  await expect.poll(() => tracked().join()).toContain('/projects/$projectId');
  expect(tracked().join()).not.toContain(counted);
  expect(tracked().join()).not.toContain('secret');
});

test('a window follows when another one changes who is here', async ({ page, signedUp: _ }) => {
  await openLive(page, '/dashboard');
  const other = await page.context().newPage();
  await openLive(other, '/dashboard');
  const next = other.waitForEvent('websocket');
  await other.getByRole('button', { name: 'Ada Lovelace, account menu' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(
    other
      .getByRole('button', { name: 'Guest, account menu' })
      .or(other.getByRole('link', { name: 'Sign in' }))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Guest, account menu' })).toBeVisible();
  // To the page that did it, it is no surprise: the guest who is here now has a connection of their own.
  await expect(other).toHaveURL(/\/$|dashboard/);
  await other.goto('/projects');
  await next;
  await expect(other.getByRole('dialog')).toBeHidden();
});

test('a session ended elsewhere is told', async ({ page, baseURL, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  await openLive(page, '/dashboard');
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  // The same session, in another window of the same browser.
  const answer = await fetch(`${baseURL}${api}/log_out`, {
    method: 'DELETE',
    headers: { cookie: cookies, origin: baseURL ?? '' },
  });
  expect(answer.ok).toBe(true);
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});
