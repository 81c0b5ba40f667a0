import { expect, test } from './fixtures.ts';
import { cell, cells, choose, code, notebook, openNotebook } from './notebook-page.ts';

test('what is typed is written as meant: over a selection, with its brackets, at two places, composed, and taken back', async ({
  page,
  signedUp: _,
}) => {
  await openNotebook(page, notebook(code('tide = 1\nwind = 2', 'a')));
  await cell(page, 'a').getByText('tide').click();
  await expect(cell(page, 'a')).toHaveAttribute('data-mode', 'edit');
  const written = cell(page, 'a').locator('.cm-content');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+Control+ArrowRight');
  const writtenByBrowser = await page.evaluateHandle(() => {
    const kinds: string[] = [];
    document.addEventListener('input', ({ target }) => kinds.push((target as Element).className));
    return kinds;
  });
  await page.keyboard.type('moon');
  await expect(written).toHaveText('moon = 1wind = 2');
  // It went straight into the text.
  expect(await writtenByBrowser.jsonValue()).toEqual([]);
  // The closing one that comes by itself is written over.
  await page.keyboard.press('End');
  await page.keyboard.type(' + f(x)');
  await expect(written).toHaveText('moon = 1 + f(x)wind = 2');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Alt+ArrowDown');
  await page.keyboard.type('b_');
  await expect(written).toHaveText('b_moon = 1 + f(x)b_wind = 2');
  await page.keyboard.press('Escape');
  await cell(page, 'a').getByText('wind').click();
  // As an input method does it: the character is there before it is decided.
  const keyboard = await page.context().newCDPSession(page);
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' # ');
  await keyboard.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await expect(written).toHaveText('b_moon = 1 + f(x)b_wind = 2 # に');
  await keyboard.send('Input.imeSetComposition', { text: '日', selectionStart: 1, selectionEnd: 1 });
  await keyboard.send('Input.insertText', { text: '日本' });
  await page.keyboard.type('!');
  await expect(written).toHaveText('b_moon = 1 + f(x)b_wind = 2 # 日本!');
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Control+z');
  await expect(written).toHaveText('tide = 1wind = 2');

  // A press begins to write where it is, and moves nothing, also in a cell that is half in sight.
  const tall = Array.from({ length: 40 }, (_, line) => `line_${line} = ${line}`).join('\n');
  await openNotebook(page, notebook(code(tall, 'a'), code(tall, 'b'), code(tall, 'c')));
  await cell(page, 'a').getByText('line_2', { exact: true }).click();
  await expect(cell(page, 'a')).toHaveAttribute('data-mode', 'edit');
  const list = page.getByRole('region', { name: 'Cells' });
  await list.evaluate((element) => {
    element.scrollTop = 500;
  });
  const top = await list.evaluate((element) => element.scrollTop);
  const first = cell(page, 'b').getByText('line_1', { exact: true });
  const place = await first.boundingBox();
  if (!place) throw new Error('It is not on the screen');
  await page.mouse.move(place.x + 2, place.y + place.height / 2);
  await page.mouse.down();
  await expect(cell(page, 'b')).toHaveAttribute('data-mode', 'edit');
  await page.mouse.up();
  expect(await list.evaluate((element) => element.scrollTop)).toBe(top);
  const line = await cell(page, 'b').locator('.cm-line').nth(1).boundingBox();
  expect(Math.abs((line?.y ?? 0) - place.y)).toBeLessThan(6);
  await page.keyboard.type('my_');
  await expect(cell(page, 'b')).toContainText('my_line_1 = 1');
  // One that goes on marks what it passes.
  await list.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  const last = cell(page, 'c').getByText('line_39', { exact: true });
  await last.hover();
  const from = await last.boundingBox();
  if (!from) throw new Error('It is not on the screen');
  await page.mouse.move(from.x + 1, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width + 1, from.y + from.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.type('x');
  await expect(cell(page, 'c').locator('.cm-line').last()).toHaveText('x = 39');

  // A composed character replaces what it is composed of.
  await openNotebook(page, notebook(code('', 'a')));
  await cell(page, 'a').locator('.cm-content, pre').first().click();
  await expect(cell(page, 'a')).toHaveAttribute('data-mode', 'edit');
  await page.keyboard.type('cafe');
  await keyboard.send('Input.imeSetComposition', {
    text: 'é',
    selectionStart: 1,
    selectionEnd: 1,
    replacementStart: 3,
    replacementEnd: 4,
  });
  await keyboard.send('Input.insertText', { text: 'é' });
  await page.keyboard.type('s');
  await expect(cell(page, 'a').locator('.cm-content')).toHaveText('cafés');
});

test('what is typed after a button, a menu or the help goes where it is expected; keys can be others', async ({
  page,
  signedUp: _,
}) => {
  await openNotebook(page, notebook(code('tide = 1', 'a'), code('wind = 2', 'b')));
  await choose(page, 'a');
  await cell(page, 'a').getByRole('button', { name: 'Comment on cell 1' }).click();
  await page.keyboard.type('at once');
  await expect(page.getByRole('textbox', { name: 'Comment on this cell' })).toBeFocused();
  await page.keyboard.type('what about this');
  await expect(page.getByRole('textbox', { name: 'Comment on this cell' })).toHaveValue(/what about this/);
  await expect(page.locator('[data-cell]')).toHaveCount(2);
  // On a button letters are no commands.
  await cell(page, 'a').getByRole('button', { name: 'Move cell 1 down' }).focus();
  await page.keyboard.type('baddx');
  await expect(page.locator('[data-cell]')).toHaveCount(2);
  // After the menu and the help, keys are the cells' again.
  await cell(page, 'a').getByRole('button', { name: 'Type of cell 1' }).click();
  await page.getByRole('menuitem', { name: 'Raw' }).click();
  await expect(cell(page, 'a')).toBeFocused();
  await page.keyboard.press('h');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cell(page, 'a')).toBeFocused();
  await page.keyboard.press('b');
  await expect(page.locator('[data-cell]')).toHaveCount(3);

  // Keys are listed, and can be others.
  await openNotebook(page, notebook(code('one', 'a'), code('two', 'b')));
  await choose(page, 'a');
  await page.keyboard.press('h');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Run and go to the next cell');
  await sheet.getByRole('button', { name: 'Keys for Insert cell below' }).click();
  await page.keyboard.press('a');
  await expect(sheet.getByRole('status')).toContainText('already');
  await page.keyboard.press('n');
  await expect(sheet.getByRole('button', { name: 'Keys for Insert cell below' })).toHaveText('N');
  // Of a command that has two presses, and to two presses.
  await sheet.getByRole('button', { name: 'Keys for Delete', exact: true }).click();
  await page.keyboard.press('q');
  await page.keyboard.press('w');
  await expect(sheet.getByRole('button', { name: 'Keys for Delete', exact: true })).toHaveText('Q W');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await choose(page, 'a');
  await page.keyboard.press('b');
  await expect(cells(page)).toHaveCount(2);
  await page.keyboard.press('n');
  await expect(cells(page)).toHaveCount(3);
  for (const key of ['d', 'd', 'q', 'w']) await page.keyboard.press(key);
  await expect(cells(page)).toHaveCount(2);
  // By name, too.
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('Insert cell above');
  await page.keyboard.press('Enter');
  await expect(cells(page)).toHaveCount(3);
});
