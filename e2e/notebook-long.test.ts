import { expect, test } from './fixtures.ts';
import { cell, choose, code, notebook, openNotebook, output, saved, text, writeIn } from './notebook-page.ts';

test('words are found and replaced in all cells, headings lead to them, and what is no notebook says so', async ({
  page,
  signedUp: _,
}) => {
  const many = Array.from({ length: 120 }, (_each, index) => code(`value_${index} = old_name + ${index}`, `c${index}`));
  await openNotebook(page, notebook(text('# Start', 'start'), ...many, text('# Finish\n\n## Details', 'finish')));
  await choose(page, 'start');
  await page.keyboard.press('t');
  const panel = page.getByRole('complementary', { name: 'Table of contents' });
  await expect(panel.getByRole('listitem')).toHaveText(['Start', 'Finish', 'Details']);
  await panel.getByRole('button', { name: 'Finish' }).click();
  await expect(cell(page, 'finish')).toBeInViewport();

  await page.keyboard.press('f');
  await page.getByRole('textbox', { name: 'Find', exact: true }).fill('old_name');
  await expect(page.getByText('1 of 120')).toBeVisible();
  await page.getByRole('textbox', { name: 'Find', exact: true }).press('Enter');
  await expect(page.locator('.cm-searchMatch-selected')).toBeVisible();
  await page.getByRole('textbox', { name: 'Replace with' }).fill('new_name');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(page.getByText('1 of 119')).toBeVisible();
  await page.getByRole('button', { name: 'Replace all', exact: true }).click();
  await expect(page.getByText('No results')).toBeVisible();
  await saved(page);
  await page.reload();
  await expect(cell(page, 'c0')).toContainText('new_name');

  // A file that is no notebook says so, and is there raw.
  await openNotebook(page, '{"cells": [\n<<<<<<< ours\n=======\n>>>>>>> theirs\n]}');
  await expect(page.getByRole('heading', { name: 'Could not open this notebook' })).toBeVisible();
  await page.getByRole('button', { name: 'Open raw file' }).click();
  await expect(page.getByRole('textbox', { name: /^Text of/ })).toContainText('<<<<<<< ours');
});

test('of a long notebook only what is near is drawn; what was written in it can still be undone', async ({
  page,
  signedUp: _,
}) => {
  const printed = (id: number) => [{ output_type: 'stream', name: 'stdout', text: `${id}\n`.repeat(1 + (id % 9)) }];
  const cells = Array.from({ length: 160 }, (_, id) => code(`x = ${id}\nprint(x)`, `c${id}`, printed(id)));
  await openNotebook(page, notebook(...cells));
  await writeIn(page, 'c1');
  await page.keyboard.type(' # mine');
  await page.keyboard.press('Escape');

  const scroller = page.getByRole('region', { name: 'Cells' });
  const walk = (step: number) =>
    scroller.evaluate(async (element, by) => {
      for (let before = Number.NaN; element.scrollTop !== before; ) {
        before = element.scrollTop;
        element.scrollTop += by;
        const { top, left, width, height } = element.getBoundingClientRect();
        const isDrawn = () =>
          [0.1, 0.3, 0.5, 0.7, 0.9].some((part) =>
            document.elementFromPoint(left + width / 2, top + height * part)?.closest('[data-cell]'),
          );
        // What came into view is drawn in one frame, measured in the next, and what is around it moved in a third.
        for (let frames = 0; frames < 3 || !isDrawn(); frames++) await new Promise(requestAnimationFrame);
      }
      return element.scrollHeight;
    }, step);
  await walk(800);
  await expect(cell(page, 'c159')).toBeVisible();
  await expect.poll(() => page.locator('[data-cell]').count()).toBeLessThan(100);
  await expect(cell(page, 'c60')).toHaveCount(0);
  await walk(-800);
  // All heights are known now: nothing moves when one comes by again.
  const height = await scroller.evaluate((element) => element.scrollHeight);
  expect(Math.abs((await walk(800)) - height)).toBeLessThan(4);
  await scroller.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(output(page, 'c8')).toHaveText(/^8(\s8){8}\s*$/);
  await writeIn(page, 'c1');
  await page.keyboard.press('Control+z');
  await expect(cell(page, 'c1')).not.toContainText('mine');
});
