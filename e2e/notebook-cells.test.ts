import type { Page } from '@playwright/test';
import { complaintsOf, expect, makeFile, test } from './fixtures.ts';
import {
  cell,
  cells,
  choose,
  code,
  notebook,
  openNotebook,
  output,
  saved,
  slow,
  text,
  writeIn,
} from './notebook-page.ts';

const order = (page: Page) => cells(page).evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.cell));

test('cells are made, moved, split, merged and brought back, by keys and with the mouse', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  await openNotebook(page, notebook(code('one', 'a'), code('two', 'b'), code('three', 'c')));
  await choose(page, 'a');
  const press = (keys: string) => page.keyboard.press(keys);
  await press('j');
  await expect(cell(page, 'b')).toHaveAttribute('data-active');
  await press('Control+Shift+ArrowUp');
  await expect.poll(() => order(page)).toEqual(['b', 'a', 'c']);
  await press('z');
  await expect.poll(() => order(page)).toEqual(['a', 'b', 'c']);
  await press('d');
  await press('d');
  await expect.poll(() => order(page)).toEqual(['a', 'c']);
  await expect(cell(page, 'c')).toHaveAttribute('data-active');
  await press('z');
  await expect.poll(() => order(page)).toEqual(['a', 'b', 'c']);

  await choose(page, 'b');
  await press('a');
  await expect(cells(page)).toHaveCount(4);
  await press('Enter');
  await page.keyboard.type('first\nsecond');
  await press('Home');
  await press('Control+Shift+-');
  await expect(cells(page)).toHaveCount(5);
  await press('Escape');
  await press('Control+Backspace');
  await expect(cells(page)).toHaveCount(4);
  await expect(page.locator('[data-cell][data-active]')).toContainText('first');
  await expect(page.locator('[data-cell][data-active]')).toContainText('second');

  await press('m');
  await expect(page.locator('[data-cell][data-active]')).toHaveAttribute('data-type', 'markdown');
  await press('2');
  await press('Control+Enter');
  await expect(page.locator('[data-cell][data-active]').getByRole('heading', { name: 'first' })).toBeVisible();
  await press('y');
  await expect(page.locator('[data-cell][data-active]')).toHaveAttribute('data-type', 'code');

  await choose(page, 'a');
  await press('c');
  await choose(page, 'c');
  await press('v');
  await expect(cells(page)).toHaveCount(5);
  await expect(cells(page).last()).toContainText('one');
  await press('Shift+k');
  await press('x');
  await expect(cells(page)).toHaveCount(3);
  // What was just made and taken back leaves the keys with its neighbour.
  await press('b');
  await press('z');
  await expect(cells(page)).toHaveCount(3);
  await press('z');
  await expect(cells(page)).toHaveCount(5);
  await press('Shift+Z');
  await expect(cells(page)).toHaveCount(3);
  await saved(page);
  const shown = await order(page);
  await page.reload();
  await expect(cells(page)).toHaveCount(3);
  expect(await order(page)).toEqual(shown);

  // What was deleted waits in the bin, also after a reload.
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  await page.getByRole('menuitem', { name: 'Deleted cells' }).click();
  await page.getByRole('listitem').filter({ hasText: 'three' }).getByRole('button', { name: 'Restore' }).click();
  await expect(cell(page, 'c')).toBeVisible();
  expect(complaints).toEqual([]);

  // With the mouse, in another notebook.
  await openNotebook(page, notebook(code('one', 'a'), code('two', 'b'), code('three', 'c')));
  await cell(page, 'a').hover();
  const handle = cell(page, 'a').getByTitle('Drag to move');
  const from = await handle.boundingBox();
  const to = await cell(page, 'c').boundingBox();
  if (!from || !to) throw new Error('not on the screen');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 60, to.y + to.height - 4, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => order(page)).toEqual(['b', 'c', 'a']);

  await cell(page, 'b').hover();
  await cell(page, 'b').getByRole('button', { name: 'Insert Text here' }).click();
  await page.keyboard.type('Some **words**');
  await page.keyboard.press('Shift+Enter');
  await expect(cells(page).nth(1).locator('strong')).toHaveText('words');
  await cells(page).nth(1).dblclick();
  await expect(cells(page).nth(1)).toHaveAttribute('data-mode', 'edit');

  // Where one writes is shown by the browser; where one writes in two places at once, both are drawn.
  await cell(page, 'a').getByText('one').click();
  await page.keyboard.press('End');
  await page.keyboard.type('\nten');
  const drawn = cell(page, 'a').locator('.cm-cursor');
  await expect(drawn).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Alt+ArrowUp');
  await expect(drawn).toHaveCount(2);
  await page.keyboard.type('s');
  await expect(cell(page, 'a').locator('.cm-line')).toHaveText(['ones', 'tens']);
  await cell(page, 'a').getByText('tens').click();
  await expect(drawn).toHaveCount(0);
});

test('cells go from one notebook into another; parts of it are run, all is folded, the kernel is chosen', async ({
  page,
  signedUp: _,
}) => {
  const { project } = await openNotebook(page, notebook(text('# Moved', 'm'), code('n = 1', 'a'), code('n', 'b')));
  const other = await makeFile(
    page.request,
    project,
    'other.ipynb',
    notebook(code('seen = []', 'x'), code('seen += [2]', 'y')),
  );
  await choose(page, 'a');
  await page.keyboard.press('Shift+j');
  await page.keyboard.press('c');
  await page.goto(`/projects/${project}?file=${other}`);
  await choose(page, 'y');
  await page.keyboard.press('v');
  await expect(cells(page)).toHaveCount(4);
  await expect(cells(page).nth(3)).toContainText('n');

  const from = async (what: string) => {
    await page.getByRole('button', { name: 'More ways to run' }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  const counts = () => page.locator('[data-cell] [title="Execution count"]').allTextContents();
  const last = cells(page).nth(3);
  await last.click({ position: { x: 20, y: 4 } });
  await from('Run all above');
  await expect.poll(counts, slow).toEqual(['[1]', '[2]', '[3]']);
  await from('Run cell and all below');
  await expect(last.getByRole('figure', { name: 'Output' })).toHaveText('1', slow);
  await choose(page, 'x');
  await page.keyboard.press('Shift+j');
  await from('Run selected cells');
  await expect.poll(counts, slow).toEqual(['[5]', '[6]', '[3]', '[4]']);
  await from('Restart kernel and run all');
  await expect.poll(counts, slow).toEqual(['[1]', '[2]', '[3]', '[4]']);

  const fold = async (what: string) => {
    await page.getByRole('button', { name: 'Notebook menu' }).click();
    await page.getByRole('menuitem', { name: 'Fold', exact: true }).click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  };
  await fold('Fold all sources');
  await expect(page.getByRole('button', { name: /^Show source of cell/ })).toHaveCount(4);
  await fold('Unfold all sources');
  await expect(page.getByRole('button', { name: /^Show source of cell/ })).toHaveCount(0);

  await page.getByRole('button', { name: /^Kernel:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Python (built in)' }).click();
  await expect(page.getByText('A different kernel or size takes effect')).toBeVisible();
  await page.keyboard.press('Escape');
  await choose(page, 'x');
  await writeIn(page, 'x');
  await page.keyboard.type('; __import__("sys").platform');
  await page.keyboard.press('Control+Enter');
  await expect(output(page, 'x')).toContainText('emscripten', slow);
});
