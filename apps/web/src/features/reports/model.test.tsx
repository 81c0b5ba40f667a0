import { expect, test } from 'vitest';
import { cellsOf, paperNames, parseReportsSearch, widthChoices } from './model.ts';

test('paper is named with its measures', () => {
  const labels = paperNames.map(({ label }) => label);
  expect(labels).toContain('A4 (210 × 297 mm)');
  expect(labels).toContain('Letter (8.5 × 11 in)');
  expect(labels).toContain('Legal (8.5 × 14 in)');
});

test('a width that is not among the usual ones can still be seen', () => {
  expect(widthChoices(null)).toHaveLength(3);
  expect(widthChoices(800)).toHaveLength(3);
  expect(widthChoices(1_234).at(-1)).toEqual({ value: '1234', label: '1,234 px wide' });
});

test('the cells of an article are named by their first words', () => {
  const html =
    '<section class="cell markdown" data-cell="a"><h2>Tides</h2><p>More</p></section><section class="cell code" data-cell="b"><div><img></div></section>';
  expect(cellsOf(html)).toEqual([
    { id: 'a', line: 'Tides', isCode: false },
    { id: 'b', line: 'Picture or chart', isCode: true },
  ]);
});

test('an address with nonsense is read as the first page', () => {
  expect(parseReportsSearch({ page: 'x', search: 3 })).toEqual({});
  expect(parseReportsSearch({ page: '2', search: 'tide' })).toEqual({ page: 2, search: 'tide' });
});
