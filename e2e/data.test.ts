import type { Page } from '@playwright/test';
import { workbook } from '../apps/server/src/features/files/test-workbook.ts';
import { violationsOf } from './axe.ts';
import { complaintsOf, expect, makeFile, makeProject, phone, test } from './fixtures.ts';

const ports = ['Rotterdam', 'Oslo', 'Antwerp', '大阪'];
const arrivals = (count: number) =>
  `ship,port,containers,arrival,delayed,remarks\n${Array.from(
    { length: count },
    (_, index) =>
      `Ever ${index},${ports[index % 4]},${(index * 7919) % 10_000},2026-01-${String((index % 28) + 1).padStart(2, '0')},${index % 5 === 0},${index % 3 ? '' : `"note, ${index}"`}`,
  ).join('\n')}\n`;

const grid = (page: Page) => page.getByRole('grid');
const firstRow = (page: Page) => grid(page).getByRole('row').nth(1);
const header = (page: Page, name: RegExp) => grid(page).getByRole('columnheader', { name });

async function openMenu(page: Page, column: string): Promise<void> {
  await header(page, new RegExp(column)).hover();
  await page.getByRole('button', { name: `Sort and filter ${column}` }).click();
}

async function open(page: Page, name: string, content: string | Buffer): Promise<void> {
  const id = await makeProject(page.request);
  const file = await makeFile(page.request, id, name, content);
  await page.goto(`/projects/${id}?file=${file}`);
  await shown(page);
}

/** The first table of a server waits for the process that reads it. */
const shown = (page: Page) =>
  expect(grid(page).or(page.getByText('This file cannot be displayed as a table'))).toBeVisible();

test('a csv opens as a table that sorts, filters, searches, stays so after a reload and has statistics', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  await open(page, 'arrivals.csv', arrivals(1_000));
  await expect(grid(page)).toBeVisible();
  await expect(page.getByText('1,000 rows', { exact: true })).toBeVisible();
  await expect(firstRow(page)).toContainText('Ever 0');

  await header(page, /containers/)
    .getByText('containers')
    .click();
  await header(page, /containers/)
    .getByText('containers')
    .click();
  await expect(header(page, /containers/)).toHaveAttribute('aria-sort', 'descending');
  await expect(firstRow(page)).toContainText('9991');
  await expect(page).toHaveURL(/sort_by=containers&sort_direction=desc/);

  await openMenu(page, 'port');
  await page.getByLabel('Show rows where port').selectOption('is');
  await page.getByLabel('Value').fill('大阪');
  await page.keyboard.press('Enter');
  await expect(page.getByText('250 of 1,000 rows')).toBeVisible();

  await openMenu(page, 'containers');
  await page.getByLabel('Show rows where containers').selectOption('is between');
  await page.getByLabel('From').fill('many');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByText('Enter a number')).toBeVisible();
  await page.getByLabel('From').fill('100');
  await page.getByLabel('To', { exact: true }).fill('200');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Filters' }).getByRole('listitem')).toHaveCount(2);

  await page.reload();
  await expect(page.getByRole('list', { name: 'Filters' }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: /Remove filter: containers/ }).click();
  await page.getByRole('button', { name: /Remove filter: port/ }).click();
  await expect(page.getByText('1,000 rows', { exact: true })).toBeVisible();

  await page.getByLabel('Search all columns').fill('note, 99');
  await expect(page.getByText(/^\d+ of 1,000 rows$/)).toBeVisible();
  await page.getByLabel('Search all columns').fill('no such thing');
  await expect(page.getByText('No rows match the filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await expect(firstRow(page)).toContainText('Ever 0');

  // A column is made wider by its edge.
  const box = await header(page, /ship/).boundingBox();
  if (!box) throw new Error('The header is not drawn');
  const edge = { x: box.x + box.width, y: box.y + box.height / 2 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + 80, edge.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await header(page, /ship/).boundingBox())?.width).toBeCloseTo(box.width + 80, 0);

  // Statistics of a column lead to its rows.
  await openMenu(page, 'containers');
  await page.getByRole('button', { name: 'Statistics', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Column statistics' });
  await expect(panel.getByRole('img', { name: /Distribution of containers/ })).toBeVisible();
  await expect(panel.getByText('Median')).toBeVisible();
  await panel.getByLabel('Column', { exact: true }).selectOption('port');
  await panel.getByRole('button', { name: /Oslo/ }).click();
  await expect(page.getByText('250 of 1,000 rows')).toBeVisible();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  expect(complaints).toEqual([]);

  // A chart without code, and a notebook that reads the file and draws the same.
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  const chart = page.getByRole('dialog', { name: 'Chart' });
  await expect(chart.getByRole('combobox', { name: 'Across' })).toHaveValue('3');
  await expect(chart.frameLocator('iframe').locator('svg, canvas').first()).toBeVisible();
  await chart.getByText('Bar', { exact: true }).click();
  await chart.getByRole('combobox', { name: 'Across' }).selectOption('port');
  // The menu in the frame is Vega's own.
  expect((await violationsOf(page)).filter((each) => !each.startsWith('summary-name:'))).toEqual([]);
  await chart.getByRole('button', { name: 'New notebook with this chart' }).click();
  await expect(page.getByText('data = pd.read_csv("arrivals.csv")')).toBeVisible();
  await expect(page.getByText('px.bar(totals, x="port", y="containers")')).toBeVisible();
});

test('the grid is walked, selected and copied by keyboard', async ({ page, context, signedUp: _ }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'arrivals.csv', arrivals(5_000));
  await expect(firstRow(page)).toBeVisible();
  await grid(page).focus();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Control+c');
  await expect(page.getByText('Cell copied.')).toBeVisible();
  expect(await clipboard()).toBe('Ever 0');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(grid(page).getByRole('gridcell', { selected: true })).toHaveCount(4);
  await page.keyboard.press('Control+c');
  await expect(page.getByText('2 × 2 cells copied.')).toBeVisible();
  expect(await clipboard()).toBe('Ever 0\tRotterdam\nEver 1\tOslo');

  // To the last row, which is far from what was loaded first.
  await page.keyboard.press('Control+End');
  await expect(grid(page).getByText('Ever 4999')).toBeHidden();
  await page.keyboard.press('Home');
  await expect(grid(page).getByText('Ever 4999')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'ship, row 5,000' })).toContainText('Ever 4999');
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeFocused();

  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(header(page, /ship/)).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByLabel('Show rows where ship')).toBeVisible();
});

test('a workbook has its sheets, json its nested values; what is no table says where it is wrong, and can be mended', async ({
  page,
  signedUp: _,
}) => {
  const id = await makeProject(page.request);
  const book = await workbook({
    Sales: [
      ['City', 'Sold'],
      ['Oslo', 3],
    ],
    Costs: [
      ['What', 'Paid'],
      ['Rent', 12],
      ['Ink', 4],
    ],
  });
  const sheet = await makeFile(page.request, id, 'book.xlsx', book);
  const json = await makeFile(page.request, id, 'people.json', '[{"name":"Ada","address":{"city":"London"}}]');
  await page.goto(`/projects/${id}?file=${sheet}`);
  await shown(page);
  await expect(firstRow(page)).toContainText('Oslo');
  await page.getByRole('navigation', { name: 'Sheets' }).getByRole('button', { name: 'Costs' }).click();
  await expect(firstRow(page)).toContainText('Rent');
  await expect(page).toHaveURL(/sheet=Costs/);
  await page.goto(`/projects/${id}?file=${json}`);
  await grid(page).getByText('{"city":"London"}').dblclick();
  await expect(page.getByRole('dialog')).toContainText('"city": "London"');
  await page.keyboard.press('Escape');

  await open(page, 'broken.csv', 'a,b\n1,2\n3,4,5\n');
  await expect(page.getByText('Line 3: it has 3 columns where the others have 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Show as text' }).click();
  const editor = page.getByRole('textbox', { name: /^Text of/ });
  await expect(editor).toContainText('3,4,5');
  await editor.click();
  await page.keyboard.press('Control+End');
  for (let count = 0; count < 3; count++) await page.keyboard.press('Backspace');
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
  await page.getByText('Data', { exact: true }).click();
  await expect(page.getByText('2 rows')).toBeVisible();
});

const looks = [
  { viewport: { width: 1440, height: 900 }, mode: 'light' },
  { viewport: phone, mode: 'dark' },
];
test('the table, at a desk and on a phone: shows, complains about nothing, passes axe', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  const id = await makeProject(page.request);
  const file = await makeFile(page.request, id, 'arrivals.csv', arrivals(300));
  const passes = async () => {
    expect(await violationsOf(page)).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
  };
  const where = encodeURIComponent('["port","equals","Oslo"]');
  for (const { viewport, mode } of looks) {
    await page.setViewportSize(viewport);
    await page.goto(`/projects/${id}?file=${file}&theme=${mode}&where[]=${where}&sort_by=containers`);
    await shown(page);
    await expect(firstRow(page)).toContainText('Oslo');
    await passes();
    await openMenu(page, 'ship');
    await expect(page.getByLabel('Show rows where ship')).toBeVisible();
    await passes();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Column statistics' }).click();
    await page.getByLabel('Column', { exact: true }).selectOption('port');
    await expect(page.getByRole('list', { name: 'Most frequent values' })).toBeVisible();
    // Whatever is hovered has a hint, which is no part of the page.
    await page.mouse.move(0, 0);
    await expect(page.getByRole('tooltip')).toBeHidden();
    await passes();
  }
  expect(complaints).toEqual([]);
});

test('a csv that is uploaded on Home becomes a notebook that has read it and drawn a chart', async ({
  page,
  signedUp: _,
}) => {
  const complaints = complaintsOf(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Start something new' })).toBeVisible();
  await page.getByRole('button', { name: /^All \d+ templates$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Search templates').fill('breakout python');
  await dialog.getByRole('button', { name: /^Breakout with stops in Python/ }).click();
  await expect(dialog.getByRole('button', { name: 'Use this template' })).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'What is in it' })).toContainText('class');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  const buffer = Buffer.from(arrivals(200));
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'arrivals.csv', mimeType: 'text/csv', buffer });
  await expect(page).toHaveURL(/\/projects\//);
  await expect(page.getByRole('heading', { level: 1, name: 'arrivals' })).toBeVisible();
  await expect(page.locator('[data-cell="cell-2"]')).toContainText('Ever 0');
  await expect(page.locator('[data-cell="cell-4"]').locator('svg, canvas').first()).toBeVisible();
  expect(complaints).toEqual([]);
});
