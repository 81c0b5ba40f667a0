import { expectAccessible } from './axe.ts';
import { call, complaintsOf, expect, makeFile, makeProject, test } from './fixtures.ts';
import {
  cell,
  choose,
  code,
  notebook,
  onePixel,
  openNotebook,
  output,
  saved,
  slow,
  text,
  writeIn,
} from './notebook-page.ts';

test('a notebook is written, run and still there', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  await openNotebook(
    page,
    notebook(
      text('# Tides', 'intro'),
      code('print("high water")', 'a'),
      code('6 * 7', 'b'),
      code('def depth(x):\n    return 1 / x\n\ndepth(0)', 'c'),
    ),
  );
  await expect(cell(page, 'intro').getByRole('heading', { name: 'Tides' })).toBeVisible();
  // A press puts the cursor where it was pressed.
  await cell(page, 'a').getByText('high water').click();
  await expect(cell(page, 'a')).toHaveAttribute('data-mode', 'edit');
  await page.keyboard.press('End');
  await page.keyboard.type('\nprint("typed here");');
  await page.keyboard.press('Shift+Enter');
  await expect(output(page, 'a')).toHaveText(/high water\s*typed here/, slow);
  await expect(cell(page, 'b')).toHaveAttribute('data-mode', 'command');
  await page.keyboard.press('Shift+Enter');
  await expect(output(page, 'b')).toHaveText('42');
  await page.keyboard.press('Control+Enter');
  const error = cell(page, 'c').getByRole('figure', { name: 'Error' });
  await expect(error).toContainText('ZeroDivisionError: division by zero');
  // A traceback leads to the line.
  await error
    .getByRole('button', { name: /In ?\[3\]/ })
    .first()
    .click();
  await expect(cell(page, 'c')).toHaveAttribute('data-mode', 'edit');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible();
  await saved(page);
  await expectAccessible(page);

  await page.reload();
  await expect(output(page, 'a')).toHaveText(/high water\s*typed here/);
  await expect(cell(page, 'a')).toContainText('print("typed here")');

  // As a script, with what was typed last.
  await cell(page, 'a').getByText('high water').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' # last');
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Download as' }).hover();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Script/ }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('tides.py');
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toContain('print("typed here"); # last');
  expect(complaints).toEqual([]);
});

test('the queue is seen, shortened and stopped', async ({ page, signedUp: _ }) => {
  await openNotebook(
    page,
    notebook(
      code('import time\nwhile True:\n    print("tick")\n    time.sleep(0.1)', 'a'),
      code('"second"', 'b'),
      code('"third"', 'c'),
    ),
  );
  await choose(page, 'a');
  await page.keyboard.press('Control+F9');
  await expect(output(page, 'a')).toContainText('tick', slow);
  await expect(cell(page, 'b').getByRole('button', { name: 'Queued, position 2. Cancel' })).toBeVisible();
  await page.getByRole('button', { name: 'Queued: 2' }).click();
  const queue = page.getByRole('complementary', { name: 'queue' });
  await expect(queue.getByRole('listitem')).toHaveText([/Running · cell 1/, /"second"Next/, /"third"Queued/]);
  await queue.getByRole('button', { name: 'Move cell 3 up in the queue' }).click();
  await expect(queue.getByRole('listitem')).toHaveText([/Running · cell 1/, /"third"Next/, /"second"Queued/]);
  await expect(cell(page, 'b').getByRole('button', { name: 'Queued, position 3. Cancel' })).toBeVisible();
  await expectAccessible(page);
  await queue.getByRole('button', { name: 'Remove cell 2 from the queue' }).click();
  await queue.getByRole('button', { name: 'Close Queue' }).click();
  await expect(cell(page, 'b').getByRole('button', { name: /Cancel/ })).toHaveCount(0);
  await expect(cell(page, 'c').getByRole('button', { name: 'Queued, position 2. Cancel' })).toBeVisible();

  // Closing the lid loses nothing.
  await page.reload();
  await expect(cell(page, 'a').getByRole('button', { name: 'Interrupt cell' })).toBeVisible();
  // Journeys ask for reduced motion: then nothing moves for as long as code runs.
  const endless = () =>
    page.evaluate(
      () => document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === Infinity).length,
    );
  expect(await endless()).toBe(0);
  await expect(output(page, 'a')).toContainText('tick');
  await choose(page, 'b');
  await page.keyboard.press('i');
  await page.keyboard.press('i');
  await expect(cell(page, 'a').getByRole('figure', { name: 'Error' })).toContainText('KeyboardInterrupt');
  await expect(cell(page, 'c').getByRole('button', { name: /Cancel/ })).toHaveCount(0);
});

test('pictures are pasted and of the project, links lead to its files, cells have colours', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  const project = await makeProject(page.request);
  await makeFile(page.request, project, 'pictures/a.png', onePixel);
  const table = await makeFile(page.request, project, 'ports.csv', 'port\nOslo\n');
  const words = '![](../pictures/a.png) ![](gone.png) ![](https://example.org/b.png) [the ports](../ports.csv)';
  const styled = '<p style="position:fixed;inset:0;color:rgb(1, 2, 3)">covers all</p>';
  const file = await makeFile(
    page.request,
    project,
    'texts/tides.ipynb',
    notebook(text(words, 'a'), text('Here:', 'b'), text(styled, 'c')),
  );
  await page.goto(`/projects/${project}?file=${file}`);
  const pictures = (id: string) =>
    cell(page, id)
      .locator('img')
      .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
  await expect.poll(() => pictures('a')).toEqual([1]);
  await expect(cell(page, 'a').locator('[data-missing]')).toHaveText(['gone.png', 'b.png']);
  await expect(cell(page, 'c').getByText('covers all')).toHaveAttribute('style', 'color: rgb(1, 2, 3)');

  await writeIn(page, 'b');
  await page.locator('[data-cell="b"] .cm-content').evaluate((editor, data) => {
    const clipboardData = new DataTransfer();
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    clipboardData.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, onePixel.toString('base64'));
  await expect(cell(page, 'b')).toContainText('Here:![](attachment:shot.png)');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => pictures('b')).toEqual([1]);

  await cell(page, 'b').hover();
  await cell(page, 'b').getByRole('button', { name: 'Menu of cell 2' }).click();
  await page.getByRole('menuitem', { name: 'Colour' }).hover();
  await page.getByRole('menuitem', { name: 'Warning' }).click();
  await expect(cell(page, 'b').locator('[data-theme="warning"]')).toBeVisible();
  await saved(page);
  await page.reload();
  await expect.poll(() => pictures('b')).toEqual([1]);
  await expect(cell(page, 'b').locator('[data-theme="warning"]')).toBeVisible();

  await cell(page, 'a').getByRole('link', { name: 'the ports' }).click();
  await expect(page).toHaveURL(new RegExp(table));
  await expect(page.getByText('Oslo')).toBeVisible();
  expect(complaints).toEqual([]);
});

/** In the whole browser: the one without windows has no notifications. */
const testWithNotifications = test.extend({
  context: async ({ playwright, launchOptions, contextOptions, baseURL, viewport }, use) => {
    const executablePath = process.env.CHROMIUM_PATH || undefined;
    const browser = await playwright.chromium.launch({ ...launchOptions, executablePath });
    await use(await browser.newContext({ ...contextOptions, baseURL, viewport, permissions: ['notifications'] }));
    await browser.close();
  },
});

testWithNotifications(
  'who went elsewhere is told of a long run; a changed file runs all again; the last good run can be read',
  async ({ page, signedUp: _ }) => {
    await page.addInitScript(() => {
      localStorage.setItem('notebook_notice_seconds', '1');
      const told: string[] = [];
      Object.assign(window, { told });
      window.Notification = class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          told.push(`${title}: ${options?.body}`);
        }
      };
    });
    const source = 'import os, time\ntime.sleep(1.2)\nprint(sorted(os.listdir(".")))';
    const { project, file } = await openNotebook(page, notebook(code(source, 'a')));
    const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told);
    await choose(page, 'a');
    await page.keyboard.press('Control+Enter');
    await expect(output(page, 'a')).toContainText('tides.ipynb', slow);
    // Whoever is here sees it.
    expect(await told()).toEqual([]);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    await page.keyboard.press('Control+Enter');
    await expect.poll(told).toEqual([expect.stringMatching(/^tides\.ipynb: A cell is done after/)]);
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }));

    const autorun = page.getByRole('menuitemcheckbox', { name: 'Run all when a file changes' });
    await page.getByRole('button', { name: 'Notebook menu' }).click();
    await autorun.click();
    await expect(autorun).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(autorun).toHaveCount(0);
    await makeFile(page.request, project, 'fresh.csv', 'a\n1\n');
    await expect(output(page, 'a')).toContainText('fresh.csv', slow);

    const menu = async () => {
      await page.getByRole('button', { name: 'Notebook menu' }).click();
      await page.getByRole('menuitem', { name: 'Show the last successful run' }).click();
    };
    await menu();
    await expect(page.getByText('No run of this notebook has succeeded yet')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the current notebook' }).click();
    const path = `/notebooks/${project}/runs`;
    const run = await call(page.request, 'POST', path, { project_file_id: file });
    await expect
      .poll(async () => (await call(page.request, 'GET', `${path}/${run.id}`)).status, slow)
      .toBe('succeeded');
    await writeIn(page, 'a');
    await page.keyboard.type('\n# newer');
    await saved(page);
    await menu();
    await expect(output(page, 'a')).toContainText('fresh.csv');
    await expect(cell(page, 'a')).not.toContainText('newer');
    await expect(page.getByRole('button', { name: 'Run cell' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Back to the current notebook' }).click();
    await expect(cell(page, 'a')).toContainText('newer');
  },
);
