import { expect, makeFile, test } from './fixtures.ts';
import {
  cell,
  choose,
  code,
  input,
  notebook,
  onePixel,
  openNotebook,
  output,
  saved,
  slow,
  sql,
  writeIn,
} from './notebook-page.ts';

/** Journeys through what a kernel with pandas and DuckDB can do. */

const frame =
  'import pandas as pd\ndf = pd.DataFrame({"n": range(1000), "name": [f"row {i}" for i in range(1000)]})\ndf';

test('SQL asks files and tables, and its result is a variable; a table is paged, sorted, filtered and searched in the kernel', async ({
  page,
  signedUp: _,
}) => {
  const query = sql("select port, tide * 2 as doubled from 'ports.csv' order by tide", 'q');
  const { project } = await openNotebook(page, notebook(query, code('len(found)', 'b'), code(frame, 'a')));
  await makeFile(page.request, project, 'ports.csv', 'port,tide\nOslo,3\nBergen,5\nKiel,1\n');
  await choose(page, 'q');
  await page.keyboard.press('Shift+Enter');
  await expect(cell(page, 'q').getByRole('row').nth(1)).toContainText('Kiel', slow);
  await page.keyboard.press('Shift+Enter');
  await expect(output(page, 'b')).toHaveText('3');
  await cell(page, 'q').getByRole('textbox', { name: 'SQL result in' }).fill('ports');
  await page.keyboard.press('Enter');
  await saved(page);
  await page.getByRole('button', { name: 'Variables' }).click();
  const variables = page.getByRole('complementary', { name: 'variables' });
  await expect(variables.getByRole('button', { name: 'found' })).toBeVisible();
  await variables.getByRole('button', { name: 'found' }).click();
  await expect(page.getByRole('dialog', { name: 'found' }).getByRole('cell', { name: 'Bergen' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'found' })).toBeHidden();

  await choose(page, 'a');
  await page.keyboard.press('Control+Enter');
  const table = cell(page, 'a').getByRole('table');
  await expect(table.getByRole('cell', { name: 'row 9', exact: true })).toBeVisible(slow);
  await expect(cell(page, 'a')).toContainText('1–10 of 1,000 rows, 2 columns');
  await cell(page, 'a').getByRole('button', { name: 'Next page' }).click();
  await expect(table.getByRole('cell', { name: 'row 19', exact: true })).toBeVisible();
  await cell(page, 'a')
    .getByRole('button', { name: /^Column n,/ })
    .click();
  await page.getByRole('menuitem', { name: 'Sort descending' }).click();
  await expect(table.getByRole('cell', { name: 'row 999', exact: true })).toBeVisible();
  await cell(page, 'a')
    .getByRole('button', { name: /^Column name,/ })
    .click();
  await page.getByRole('textbox', { name: 'Value' }).fill('row 12');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'a')).toContainText('of 11 (1,000 in all) rows');
  await cell(page, 'a').getByRole('textbox', { name: 'Search the table' }).fill('127');
  await expect(cell(page, 'a')).toContainText('1–1 of 1 (1,000 in all) rows');

  // Without its kernel the first rows are still there.
  await page.getByRole('button', { name: /^Kernel:/ }).click();
  await page.getByRole('menuitem', { name: 'Shut down kernel' }).click();
  await expect(page.getByRole('button', { name: /^Kernel: .*Ended/ })).toBeVisible();
  await page.reload();
  await expect(table.getByRole('cell', { name: 'row 9', exact: true })).toBeVisible();
});

test('an input of any kind is a variable, and what depends on it runs again', async ({ page, signedUp: _ }) => {
  const kinds = [
    { kind: 'text', name: 'quay', label: 'Quay', value: '' },
    { kind: 'select', name: 'ship', label: 'Ship', value: null, options: ['Gull', 'Tern'] },
    { kind: 'multiselect', name: 'days', label: 'Days', value: [], options: ['Mon', 'Tue', 'Wed'] },
    { kind: 'checkbox', name: 'deep', label: 'Deep', value: false },
    { kind: 'number', name: 'crew', label: 'Crew', value: 1 },
    { kind: 'slider', name: 'speed', label: 'Speed', value: 5, min: 0, max: 10 },
    { kind: 'date', name: 'start', label: 'Start', value: null },
  ];
  const port = { kind: 'select', name: 'port', label: 'Port', value: 'Oslo', options: ['Oslo', 'Kiel'], reruns: true };
  await openNotebook(
    page,
    notebook(
      input(port, 'i'),
      code('print("to", port)', 'a'),
      ...kinds.map((each, index) => input(each, `i${index}`)),
      code('print(quay, ship, days, deep, crew, speed, start)', 'all'),
    ),
  );
  await choose(page, 'a');
  await page.keyboard.press('Control+F9');
  await expect(output(page, 'a')).toHaveText('to Oslo', slow);
  await cell(page, 'i').getByRole('combobox', { name: /Port/ }).click();
  await page.getByRole('option', { name: 'Kiel' }).click();
  await expect(output(page, 'a')).toHaveText('to Kiel');
  await page.reload();
  await expect(cell(page, 'i').getByRole('combobox', { name: /Port/ })).toHaveValue('Kiel');

  // Of every kind.
  await page.getByRole('textbox', { name: /Quay/ }).fill('North');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: /Ship/ }).click();
  await page.getByRole('option', { name: 'Tern' }).click();
  await page.getByRole('combobox', { name: /Days/ }).click();
  await page.getByRole('option', { name: 'Mon' }).click();
  await page.getByRole('option', { name: 'Wed' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: /Deep/ }).check();
  await page.getByRole('textbox', { name: /Crew/ }).fill('7');
  await page.keyboard.press('Enter');
  await page.getByRole('slider', { name: /Speed/ }).press('ArrowRight');
  await cell(page, 'i6').locator('input').fill('2026-11-15');
  await choose(page, 'a');
  await page.keyboard.press('Control+F9');
  await expect(output(page, 'all')).toHaveText("North Tern ['Mon', 'Wed'] True 7 6 2026-11-15", slow);

  await cell(page, 'i').getByRole('button', { name: 'Settings of Port' }).click();
  const settings = page.getByRole('dialog', { name: 'Input' });
  await settings.getByRole('combobox', { name: 'Type' }).selectOption('slider');
  await settings.getByRole('textbox', { name: 'Label' }).fill('How many');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(cell(page, 'i').getByRole('slider')).toBeVisible();
});

test('code asks, completes and explains', async ({ page, signedUp: _ }) => {
  await openNotebook(page, notebook(code('name = input("Your name? ")\nprint("hello", name)', 'a'), code('', 'b')));
  await choose(page, 'a');
  await page.keyboard.press('Shift+Enter');
  await page.getByLabel('Your name?').fill('Ada', slow);
  await page.keyboard.press('Enter');
  await expect(output(page, 'a')).toContainText('hello Ada');
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible();

  await writeIn(page, 'b');
  await page.keyboard.type('name.capi');
  await page.keyboard.press('Tab');
  await expect(cell(page, 'b')).toContainText('name.capitalize');
  await page.keyboard.press('Enter');
  await page.keyboard.type('name.is');
  // Not Tab: where the list has already opened while typing, Tab takes its first word.
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: /^isupper/ }).click();
  await expect(cell(page, 'b')).toContainText('name.isupper');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByText(/Return True if the string is an uppercase string/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cell(page, 'b')).toHaveAttribute('data-mode', 'edit');

  // Enter ends a comment; typing in another place closes the list of names.
  await page.keyboard.type('()\n# about name');
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('Enter');
  await page.keyboard.type('n');
  await page.keyboard.press('Control+Space');
  await expect(page.getByRole('option').first()).toHaveText('name');
  await expect(cell(page, 'b').locator('.cm-line').nth(2)).toHaveText('# about name');
  await page.getByRole('button', { name: /^Kernel: / }).click();
  await expect(page.locator('.cm-tooltip-autocomplete')).toHaveCount(0);
});

test('a widget moves in the page and in the kernel', async ({ page, signedUp: _ }) => {
  const source = 'import ipywidgets as w\nslider = w.IntSlider(value=3, description="Depth")\nslider';
  const interact = 'found = w.interact(lambda depth: print("depth", depth), depth=(1, 9, 1))';
  const traits = ['_view_name', '_model_name', '_view_module', '_model_module'].map(
    (each) => `${each} = t.Unicode("${each.endsWith('name') ? 'MapModel' : 'far-away'}")`,
  );
  const foreign = [
    'import traitlets as t',
    'class Map(w.DOMWidget):',
    ...traits.map((each) => `    ${each}.tag(sync=True)`),
  ];
  await openNotebook(
    page,
    notebook(
      code(source, 'a'),
      code('slider.value', 'b'),
      code('slider.value = 9', 'c'),
      code(interact, 'd'),
      code([...foreign, 'Map()'].join('\n'), 'e'),
      code(`import base64\nw.Image(value=base64.b64decode("${onePixel.toString('base64')}"))`, 'f'),
    ),
  );
  await choose(page, 'a');
  await page.keyboard.press('Shift+Enter');
  const slider = cell(page, 'a').getByRole('slider');
  await expect(slider).toHaveAttribute('aria-valuenow', /^3(\.0)?$/, slow);
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell(page, 'a').getByText('4', { exact: true })).toBeVisible();
  await choose(page, 'b');
  await page.keyboard.press('Shift+Enter');
  await expect(output(page, 'b')).toHaveText('4');
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 'a').getByText('9', { exact: true })).toBeVisible();

  // What runs because a slider was moved shows where the widget says, though no cell runs.
  await choose(page, 'd');
  await page.keyboard.press('Shift+Enter');
  await expect(cell(page, 'd').getByText('depth 5')).toBeVisible();
  await cell(page, 'd').getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell(page, 'd').getByText('depth 6')).toBeVisible();
  await expect(cell(page, 'd').getByText('depth 5')).toHaveCount(0);
  await page.reload();
  await expect(cell(page, 'd').getByText('depth 6')).toBeVisible();
  await choose(page, 'e');
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 'e').getByText(/MapModel of far-away cannot be displayed/)).toBeVisible();

  const widthOf = () =>
    cell(page, 'f')
      .locator('img')
      .evaluate((picture: HTMLImageElement) => picture.naturalWidth);
  await choose(page, 'f');
  await page.keyboard.press('Control+Enter');
  await expect.poll(widthOf).toBe(1);
  await page.reload();
  await expect.poll(widthOf).toBe(1);
  // Also when its kernel is gone.
  await choose(page, 'f');
  await page.keyboard.press('Control+s');
  await saved(page);
  await page.getByRole('button', { name: /^Kernel:/ }).click();
  await page.getByRole('menuitem', { name: 'Shut down kernel' }).click();
  await expect(page.getByRole('button', { name: /^Kernel: .*Ended/ })).toBeVisible();
  await page.reload();
  await expect.poll(widthOf).toBe(1);
});

test('cells run beside each other: each has its clock, one is stopped alone, then all', async ({
  page,
  signedUp: _,
}) => {
  const ticking = (name: string) => `import time\nwhile True:\n    print("${name}")\n    time.sleep(0.2)`;
  await openNotebook(page, notebook(...['a', 'b', 'c'].map((id) => code(ticking(id), id)), code('"aside"', 'd')));
  await choose(page, 'a');
  await page.keyboard.press('Control+Enter');
  await expect(output(page, 'a')).toContainText('a', slow);
  await page.getByRole('button', { name: 'Notebook menu' }).click();
  const beside = page.getByRole('menuitemcheckbox', { name: 'Run cells in parallel' });
  await beside.click();
  await expect(beside).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(beside).toHaveCount(0);
  for (const id of ['b', 'c', 'd']) {
    await choose(page, id);
    await page.keyboard.press('Control+Enter');
    await expect(output(page, id)).toBeVisible(slow);
  }
  await expect(output(page, 'd')).toHaveText("'aside'");
  await expect(page.getByRole('button', { name: /^Kernel: .*Runs 3 cells/ })).toBeVisible();
  for (const id of ['a', 'b', 'c']) await expect(cell(page, id)).toContainText('Running for');

  // What is above grows and moves the button away while it is pressed. What is printed does so only until it scrolls.
  const stop = cell(page, 'b').getByRole('button', { name: 'Interrupt cell' });
  const place = async () => (await stop.boundingBox())?.y;
  await expect(async () => {
    await page.mouse.up();
    await stop.hover();
    await page.mouse.down();
    expect(await stop.evaluate((button) => button.matches(':active'))).toBe(true);
  }).toPass();
  const pressed = await place();
  await cell(page, 'a').evaluate((element) => {
    element.style.paddingTop = '100px';
  });
  await expect.poll(place).not.toBe(pressed);
  await page.mouse.up();
  await expect(cell(page, 'b').getByRole('figure', { name: 'Error' })).toContainText('KeyboardInterrupt');
  await page.getByRole('button', { name: 'Running: 2' }).click();
  const queue = page.getByRole('complementary', { name: 'queue' });
  await expect(queue.getByRole('listitem')).toHaveText([/Running · cell 1/, /Running · cell 3/]);
  await queue.getByRole('button', { name: 'Interrupt all' }).click();
  for (const id of ['a', 'c'])
    await expect(cell(page, id).getByRole('figure', { name: 'Error' })).toContainText('KeyboardInterrupt');
  await expect(page.getByRole('button', { name: /^Kernel: .*Idle/ })).toBeVisible();
});
