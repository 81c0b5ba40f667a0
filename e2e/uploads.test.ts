import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { api, call, complaintsOf, expect, makeProject, phone, test } from './fixtures.ts';
import { notebook, text } from './notebook-page.ts';
import { line } from './project-page.ts';

const megabyte = 1024 ** 2;
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' });

/** What the project has, by the server's word. */
async function filesOf(request: APIRequestContext, id: string): Promise<{ path: string; size: number }[]> {
  const tree = await call(request, 'GET', `/notebooks/${id}/files-dirs`);
  return tree.files.map(({ path, size }: { path: string; size: number }) => ({ path, size }));
}

const choose = (page: Page, files: { name: string; size: number }[]) =>
  page
    .locator('input[type=file][multiple]')
    .setInputFiles(
      files.map(({ name, size }) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, `${name}\n`) })),
    );

/** Drops real files and folders, as from the desktop. */
async function dropPaths(page: Page, target: Locator, paths: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('Nothing to drop on');
  const client = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 200) };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, ...at, data });
}

function folderWith(files: Record<string, string>): { path: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'atoll-drop-'));
  const path = join(root, 'Tide tables');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return { path, remove: () => rmSync(root, { recursive: true, force: true }) };
}

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('many files go up a few at a time, and one is cancelled', async ({ page, signedUp: _ }) => {
    const complaints = complaintsOf(page);
    const id = await makeProject(page.request, 'Many');
    await page.goto(`/projects/${id}`);
    await page.getByRole('button', { name: 'Show files' }).click();
    let underWay = 0;
    let most = 0;
    await page.route(`**${api}/upload/*`, async (route) => {
      most = Math.max(most, ++underWay);
      const isLarge = route.request().postDataBuffer()?.length === 3 * megabyte;
      // The large one is held until it has been cancelled.
      if (isLarge) await uploads(page).getByText('large.txt').waitFor({ state: 'detached' });
      underWay--;
      await route.continue().catch(() => {});
    });
    const names = Array.from({ length: 12 }, (_, index) => `part-${index}.txt`);
    await choose(page, [
      { name: 'large.txt', size: 3 * megabyte },
      ...names.map((name, index) => ({ name, size: 1_000 + index })),
    ]);
    await expect(uploads(page).getByRole('progressbar', { name: 'Upload of large.txt' })).toBeAttached();
    await uploads(page).getByRole('button', { name: 'Cancel large.txt' }).click();
    await expect(uploads(page).getByRole('status')).toHaveText('12 uploaded');
    expect(most).toBeLessThanOrEqual(3);
    expect((await filesOf(page.request, id)).map(({ path }) => path).sort()).toEqual([...names].sort());
    await uploads(page).getByRole('button', { name: 'Clear' }).click();
    await expect(uploads(page)).toBeHidden();
    await expect(line(page, 'part-11.txt')).toBeVisible();
    expect(complaints).toEqual([]);
  });

  test('a project is given to somebody else', async ({ page, another, signedUp: _ }) => {
    const { context: theirs, ...grace } = await another();
    const id = await makeProject(page.request, 'Legacy');
    await page.goto(`/projects/${id}`);
    await page.getByRole('button', { name: 'Actions for Legacy' }).click();
    await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New owner').fill('nobody_at_all');
    const send = dialog.getByRole('button', { name: 'Send offer' });
    await dialog.getByLabel('Type “Legacy” to confirm').fill('Legac');
    await send.click();
    await expect(dialog.getByText('Must be the name of the project')).toBeVisible();
    await dialog.getByLabel('Type “Legacy” to confirm').fill('Legacy');
    await send.click();
    await expect(dialog.getByText('Cannot own projects')).toBeVisible();
    await dialog.getByLabel('New owner').fill(grace.email);
    await send.click();
    await expect(page.getByRole('region', { name: 'Offer' })).toContainText('Waiting for');
    expect((await page.request.get(`${api}/notebooks/${id}`)).status()).toBe(200);
    await call(theirs.request, 'POST', `/notebooks/${id}/offer/accept`, {});
    expect((await page.request.get(`${api}/notebooks/${id}`)).status()).toBe(404);
    expect((await theirs.request.get(`${api}/notebooks/${id}`)).status()).toBe(200);
  });
});

test('pictures and films show a project off, in the order one wants', async ({ page, stranger, signedUp: _ }) => {
  const id = await makeProject(page.request, 'Atlas', {
    visibility: 'public',
    hides_source: true,
    description: 'Where the *water* goes.',
  });
  await page.goto(`/projects/${id}`);
  await page.getByRole('button', { name: 'Actions for Atlas' }).click();
  await page.getByRole('menuitem', { name: 'Settings…' }).click();
  const dialog = page.getByRole('dialog');
  const add = async (name: string, mimeType: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Add picture or video' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer });
  };
  const picture = Buffer.from(
    await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
      const context = canvas.getContext('2d');
      if (context) context.fillStyle = '#0f766e';
      context?.fillRect(0, 0, 640, 400);
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    }),
    'base64',
  );
  await add('map.png', 'image/png', picture);
  await expect(dialog.getByText('Picture 1')).toBeVisible();
  const film = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypisom\0\0\x02\0isomiso2', 'latin1'),
    Buffer.alloc(2_000),
  ]);
  await add('tide.mp4', 'video/mp4', film);
  await expect(dialog.getByText('Video 2')).toBeVisible();
  await add('notes.png', 'image/png', Buffer.from('not a picture'));
  await expect(dialog.getByText('This is not a picture that can be read')).toBeVisible();
  await dialog.getByRole('button', { name: 'Move video 2 up' }).click();
  await expect(dialog.getByText('Video 1')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'About this project' }).click();
  const shown = page.getByRole('region', { name: 'Pictures and videos of Atlas' });
  await expect(shown.getByRole('img')).toBeVisible();
  await expect(shown.locator('video')).toHaveCount(1);
  await expect(page.getByRole('dialog').locator('em')).toHaveText('water');

  const other = await stranger({ viewport: phone });
  await other.goto(`/projects/${id}`);
  await expect(other.getByText('The owner does not show the files of this project.')).toBeVisible();
  await expect(other.getByRole('region', { name: 'Pictures and videos of Atlas' }).getByRole('img')).toBeVisible();
});

test('a picture that is none is refused; a cut connection is waited for, and the upload goes on where it stopped', async ({
  page,
  context,
  signedUp: _,
}) => {
  const id = await makeProject(page.request, 'Far away');
  await page.goto(`/projects/${id}`);
  await choose(page, [{ name: 'photo.png', size: 20 }]);
  await expect(uploads(page).getByRole('alert')).toContainText('Is not a PNG picture, although its name ends in .png');
  await uploads(page).getByRole('button', { name: 'Dismiss photo.png' }).click();
  await expect(uploads(page)).toBeHidden();

  const ranges: string[] = [];
  await page.route(`**${api}/upload/*`, async (route) => {
    const range = route.request().headers()['content-range'];
    if (range && ranges.push(range) === 2) {
      await context.setOffline(true);
      return route.abort('internetdisconnected');
    }
    await route.continue();
  });
  await choose(page, [{ name: 'long.txt', size: 20 * megabyte }]);
  await expect(uploads(page).getByRole('status')).toHaveText('Waiting for the connection…');
  await expect(uploads(page).getByText('Waiting for the connection', { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(uploads(page).getByRole('status')).toHaveText('1 uploaded');
  const [part, size] = [8 * megabyte, 20 * megabyte];
  expect(ranges).toEqual([
    `bytes 0-${part - 1}/${size}`,
    `bytes ${part}-${2 * part - 1}/${size}`,
    `bytes ${part}-${2 * part - 1}/${size}`,
    `bytes ${2 * part}-${size - 1}/${size}`,
  ]);
  expect(await filesOf(page.request, id)).toEqual([{ path: 'long.txt', size }]);
});

test('a notebook or a folder dropped onto the list becomes a project with its structure', async ({
  page,
  signedUp: _,
}) => {
  await page.goto('/projects');
  const notes = notebook(text('From my computer', 'a'));
  const dataTransfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'Field notes.ipynb'));
    return data;
  }, notes);
  await page.getByRole('heading', { name: 'Create your first project' }).dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('heading', { level: 1, name: 'Field notes' })).toBeVisible();
  await expect(page.getByText('From my computer')).toBeVisible();

  const folder = folderWith({
    'readme.md': '# Tides',
    'data/raw/brest.csv': 'time,height\n',
    'data/raw/cuxhaven.csv': 'time,height\n',
    '.git/config': 'noise',
  });
  await page.goto('/projects');
  await dropPaths(page, page.getByRole('main'), [folder.path]);
  await expect(page.getByRole('heading', { level: 1, name: 'Tide tables' })).toBeVisible();
  await expect(uploads(page).getByRole('status')).toHaveText('3 uploaded');
  const id = page.url().split('/').at(-1)?.split('?')[0] ?? '';
  expect((await filesOf(page.request, id)).map(({ path }) => path)).toEqual([
    'data/raw/brest.csv',
    'data/raw/cuxhaven.csv',
    'readme.md',
  ]);
  await dropPaths(page, page.getByRole('tree', { name: 'Files' }), [join(folder.path, 'data')]);
  await expect(uploads(page)).toContainText('There is already a file named data/raw/brest.csv');
  folder.remove();
});
