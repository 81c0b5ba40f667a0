import { defaultPayload } from '@atoll/contract';
import { expect, test } from 'vitest';
import { notebookAsArticle } from './article.ts';
import { readNotebook } from './read.ts';

const text = (id: string, source: string) => ({ id, cell_type: 'markdown', metadata: {}, source });
const shows = (id: string, data: object) => ({
  id,
  cell_type: 'code',
  metadata: {},
  execution_count: null,
  outputs: [{ output_type: 'display_data', data, metadata: {} }],
  source: '',
});
const drawn = (cells: object[], part?: Parameters<typeof notebookAsArticle>[2]) =>
  notebookAsArticle(
    readNotebook(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 })),
    { ...defaultPayload, hidden_cell_ids: ['hidden'] },
    part,
  ).html;
const printed = { hasCharts: true, isPrinted: true };

test('on paper a table has all the rows that are there, and says where there are more', () => {
  const rows = Array.from({ length: 80 }, (_, index) => [index]);
  const cell = shows('a', { 'application/vnd.atoll.dataframe+json': { columns: [{ name: 'n' }], rows, total: 1_200 } });
  const count = (html: string) => html.match(/<td>/g)?.length;
  expect([count(drawn([cell])), count(drawn([cell], printed))]).toEqual([50, 80]);
  expect(drawn([cell], printed)).toContain('The first 80 of 1,200 rows.');
  expect(drawn([cell])).not.toContain('rows.');
});

test('on paper everything is open', () => {
  const cell = text('a', '<details><summary>More</summary>x</details><details open><summary>Open</summary>y</details>');
  expect(drawn([cell]).match(/<details open/g)).toHaveLength(1);
  expect(drawn([cell], printed).match(/<details open/g)).toHaveLength(2);
});

test('chosen cells are drawn, hidden ones never', () => {
  const cells = [text('a', 'first'), text('b', 'second'), text('hidden', 'secret')];
  expect(drawn(cells, { ...printed, cellIds: ['b', 'hidden', 'gone'] })).toMatch(/^<section[^>]*data-cell="b">/);
  expect(drawn(cells, { ...printed, cellIds: ['b', 'hidden'] })).not.toContain('secret');
});

test('HTML with scripts is data for a page that draws it, and says so where it is not drawn', () => {
  const cell = shows('a', { 'text/html': '<div></div><script>draw()</script>' });
  expect(drawn([cell])).toContain('This output is interactive.');
  expect(drawn([cell])).not.toContain('data-chart');
  for (const part of [printed, { hasCharts: true }]) {
    const html = drawn([cell], part);
    expect(html).toContain('<script type="application/json" data-chart="html">');
    expect(html.match(/<\/script>/g)).toHaveLength(1);
  }
});

test('data that would make the page too large is left out of it, but not on paper', () => {
  const large = (id: string) =>
    shows(id, { 'text/html': `<div></div><script>/*${'x'.repeat(11 * 1024 ** 2)}*/</script>` });
  const cells = [large('a'), large('b'), shows('c', { 'text/html': '<canvas></canvas>' })];
  const count = (part: typeof printed | { hasCharts: true }) => drawn(cells, part).match(/data-chart/g)?.length;
  expect([count({ hasCharts: true }), count(printed)]).toEqual([2, 3]);
});
