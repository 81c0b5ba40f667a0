import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { api, call, complaintsOf, expect, makeFile, phone, test } from './fixtures.ts';
import { code, notebook, openNotebook, slow, text } from './notebook-page.ts';

const open = async (page: Page, name: string, content: string) => (await openNotebook(page, content, name)).project;

const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const runInBackground = async (page: Page) => {
  await page.getByRole('button', { name: 'More ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run in background' }).click();
};
const runs = (page: Page) => page.getByRole('button', { name: 'Runs', exact: true });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Runs' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Runs' });
const status = (where: Locator, word: string) => where.getByRole('status').filter({ hasText: word });

const table = `class Table:
    def _repr_html_(self):
        return "<table><tr><td>Oslo</td></tr></table><p id=said></p><script>said.textContent = 'script ' + origin</script>"
Table()`;

test('a notebook shows what it does while it runs, and its files appear', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  await open(
    page,
    'tides.ipynb',
    notebook(
      text('# Tides', 'intro'),
      code('print("\\x1b[31mhigh\\x1b[0m water")\nfor hour in range(200): print("hour", hour)', 'a'),
      code(table, 'b'),
      code('open("tides.csv", "w").write("port,tide\\nOslo,3\\n")\n6 * 7', 'c'),
      code('def depth(x):\n    return 1 / x\ndepth(0)', 'd'),
      code('"never"', 'e'),
    ),
  );
  await runInBackground(page);
  await expect(panel(page).getByRole('heading', { name: 'Run 1' })).toBeVisible();
  await expect(page).toHaveURL(/run=[0-9a-f-]{36}/);
  await expect(status(panel(page), 'Failed')).toBeVisible(slow);
  await expect(panel(page).getByText('3 of 5 cells')).toBeVisible();
  await expect(panel(page).getByRole('alert')).toHaveText('Cell 5: ZeroDivisionError: division by zero');

  const cells = panel(page).getByRole('listitem');
  await expect(cells).toHaveCount(4);
  await expect(cells.nth(0)).toContainText('Cell 2');
  await expect(cells.nth(0).getByText('high', { exact: true })).toHaveAttribute('style', /--ansi-1/);
  await expect(cells.nth(0)).toContainText('hour 199');
  await expect(cells.nth(0)).not.toContainText('hour 100');
  await cells
    .nth(0)
    .getByRole('button', { name: /more lines/ })
    .click();
  await expect(cells.nth(0)).toContainText('hour 100');
  // Nobody's origin, without a network: it can do nothing in the name of who looks at it.
  const { headers } = await page.request
    .get('/assets/output-frame-3.html')
    .then((answer) => ({ headers: answer.headers() }));
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts; default-src 'none';/);
  expect(headers['connection-allowlist']).toBe('(response-origin)');
  const frame = cells.nth(1).locator('iframe');
  await expect(frame.contentFrame().getByText('script null')).toBeVisible();
  expect((await frame.boundingBox())?.height).toBeGreaterThan(40);
  await expect(cells.nth(2)).toContainText('42');
  await expect(cells.nth(3).getByRole('figure', { name: 'Error' })).toContainText('division by zero');

  await expect(page.getByRole('treeitem', { name: 'tides.csv' })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(cells.nth(2)).toContainText('42');
  await panel(page).getByRole('button', { name: 'Close runs' }).click();
  await expect(panel(page)).toBeHidden();
  expect(complaints).toEqual([]);
});

test('what never ends is followed as it prints, found among what runs, and stopped', async ({ page, signedUp: _ }) => {
  const complaints = complaintsOf(page);
  const project = await open(page, 'tick.py', 'print("not this")\n');
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    'import time\nn = 0\nwhile True:\n    n += 1\n    print("tick", n)\n    time.sleep(0.2)\n',
  );
  // Before it could be saved by itself.
  await page.keyboard.press('Control+Shift+Enter');
  await expect(status(panel(page), 'Running')).toBeVisible();
  await expect(panel(page).getByText(/^tick 3$/m)).toBeVisible(slow);
  await expect(panel(page)).not.toContainText('not this');
  await expect(panel(page).getByText(/^tick 6$/m)).toBeVisible();

  await page.getByRole('button', { name: /execution time/ }).click();
  const running = page.getByRole('group', { name: 'Running now' });
  await expect(running.getByRole('listitem')).toContainText('tick.py');
  await expect(running.getByRole('listitem')).toContainText(/of 2 GB/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.reload();
  await expect(panel(page)).toContainText('tick 1');
  await panel(page).getByRole('button', { name: 'Stop run 1' }).click();
  await expect(status(panel(page), 'Stopped')).toBeVisible();
  await expect(panel(page).getByText('Stopped.')).toHaveCount(1);
  // Every line once, although they were loaded and told of side by side.
  const ticks = (await panel(page).getByRole('figure', { name: 'Output' }).innerText()).match(/tick \d+/g) ?? [];
  expect(new Set(ticks).size).toBe(ticks.length);

  await page.getByRole('button', { name: /execution time/ }).click();
  await expect(running).toContainText('Nothing is running.');
  await page.keyboard.press('Escape');
  await runButton(page).click();
  await expect(panel(page).getByRole('heading', { name: 'Run 2' })).toBeVisible();
  await expect(panel(page)).toContainText('tick 1', slow);
  await page.getByRole('button', { name: /execution time/ }).click();
  await running.getByRole('button', { name: 'Stop tick.py' }).click();
  await expect(running).toContainText('Nothing is running.');
  await page.keyboard.press('Escape');
  await expect(status(panel(page), 'Stopped')).toBeVisible();
  expect((await call(page.request, 'GET', `/notebooks/${project}/runs`)).total).toBe(2);
  expect(complaints).toEqual([]);
});

test('runs are kept, filtered and found again', async ({ page, signedUp: _ }) => {
  const id = await open(page, 'good.py', 'print("fine")');
  await runs(page).click();
  await expect(panel(page)).toContainText('No runs by you yet');
  await expectAccessible(page);
  await runButton(page).click();
  await expect(status(panel(page), 'Succeeded')).toBeVisible(slow);
  const broken = await makeFile(page.request, id, 'broken.ipynb', notebook(code('raise ValueError("no water")', 'a')));
  await page.getByRole('treeitem', { name: 'broken.ipynb' }).click();
  await expect(page).toHaveURL(new RegExp(broken));
  await runInBackground(page);
  await expect(status(panel(page), 'Failed')).toBeVisible(slow);
  const downloading = page.waitForEvent('download');
  await panel(page).getByRole('link', { name: 'Download the result of run 2' }).click();
  expect((await downloading).suggestedFilename()).toBe('broken (run 2).ipynb');

  await panel(page).getByRole('button', { name: 'All runs' }).click();
  const rows = panel(page).getByRole('list', { name: 'Runs' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/2.*Failed.*broken\.ipynb.*no water.*Ada Lovelace/);
  await expectAccessible(page);
  // A run begun elsewhere comes into the list by itself.
  await page.request.post(`${api}/notebooks/${id}/runs`, { data: { project_file_id: broken } });
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('Failed', slow);
  await panel(page).getByText('Succeeded', { exact: true }).first().click();
  await expect(rows).toHaveCount(1);
  await panel(page).getByText('Scheduled', { exact: true }).click();
  await expect(panel(page)).toContainText('No scheduled runs yet');
  await panel(page).getByRole('button', { name: 'Show all runs' }).click();
  await panel(page).getByLabel('Search runs').fill('no water');
  await expect(rows).toHaveCount(2);
  await panel(page).getByLabel('By everyone').check();
  await panel(page).getByLabel('Search runs').fill('good');
  await expect(rows).toHaveCount(1);
  await rows.first().getByRole('button').first().click();
  await expect(panel(page)).toContainText('fine');
  await page.goBack();
  await expect(rows.first()).toBeVisible();
});

test('the kernel and the size are chosen, and a refusal is in the server’s words', async ({ page, signedUp: _ }) => {
  await open(page, 'hello.py', 'print("hello")');
  const { entries } = await call(page.request, 'GET', '/kernels');
  const able = entries.filter(({ language }: { language: string }) => language === 'python');
  const last = able.at(-1);
  await page.getByRole('button', { name: 'Run settings' }).click();
  const choice = page.getByRole('menuitemradio', { name: last.display_name });
  await choice.click();
  await expect(choice).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByRole('menuitemradio', { name: /8 GB/ })).toBeDisabled();
  await expectAccessible(page);
  await expect
    .poll(async () => (await call(page.request, 'GET', '/kernels/user')).kernel)
    .toBe(able.length > 1 ? last.name : null);
  await page.keyboard.press('Escape');
  await page.route('**/v1/notebooks/*/runs', (route) =>
    route.request().method() === 'POST'
      ? route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), tier: 'l3' }) })
      : route.continue(),
  );
  await runButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Your plan includes servers up to l1' })).toBeVisible();
  await page.unroute('**/v1/notebooks/*/runs');
  await runButton(page).click();
  await expect(panel(page)).toContainText('hello', slow);
});

test('a phone runs, reads and stops with a thumb', async ({ page, signedUp: _ }) => {
  await page.setViewportSize(phone);
  const id = await open(
    page,
    'tides.ipynb',
    notebook(code('print("high water " * 30)', 'a'), code('while True: pass', 'b')),
  );
  await runInBackground(page);
  await expect(sheet(page)).toContainText('high water', slow);
  await expect(sheet(page)).toContainText('1 of 2 cells');
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await sheet(page).getByRole('button', { name: 'Stop run 1' }).click();
  await expect(status(sheet(page), 'Stopped')).toBeVisible();
  await sheet(page).getByRole('button', { name: 'All runs' }).click();
  await expect(sheet(page).getByRole('list', { name: 'Runs' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();

  await page.request.post(`${api}/notebooks/${id}/runs`, { data: {} }).catch(() => null);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('group', { name: 'Running now' })).toBeVisible();
  await expectAccessible(page);
});
