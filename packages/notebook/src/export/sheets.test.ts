import { defaultPayload } from '@atoll/contract';
import { expect, test } from 'vitest';
import { readNotebook } from '../file/read.ts';
import { notebookAsArticle } from './article.ts';
import { type Sheets, sheetSize, sheetsAsSvg } from './sheets.ts';

const cell = (id: string, x: number, y: number) => ({
  cell_type: 'code',
  id,
  metadata: { atoll: { place: { x, y, w: 300, h: 100, show: 'output' } } },
  execution_count: 1,
  source: `code of ${id}`,
  outputs: [{ output_type: 'stream', name: 'stdout', text: `shown by ${id} & <others>` }],
});
const items = {
  second: { kind: 'frame', x: 1_000, y: 0, w: 640, h: 360, text: 'Second', order: 2 },
  first: { kind: 'frame', x: 0, y: 0, w: 640, h: 360, text: 'First', order: 1 },
  note: { kind: 'sticky', x: 1_100, y: 40, text: '<b>mind</b>', colour: 'red' },
  arrow: { kind: 'arrow', from: { on: 'a', x: 0, y: 0 }, to: { on: 'gone', x: 500, y: 50 } },
};
const notebook = readNotebook(
  JSON.stringify({
    cells: [cell('a', 20, 20), cell('b', 1_020, 240)],
    metadata: { atoll: { canvas: { items } } },
    nbformat: 4,
    nbformat_minor: 5,
  }),
);
const drawn = (sheets: Sheets) => notebookAsArticle(notebook, defaultPayload, { hasCharts: false, sheets }).html;

test('makes a sheet of each frame, in order, with its contents', () => {
  const [, first = '', second = ''] = drawn('frames').split('<div class="sheet"');
  expect(first).toContain('shown by a');
  expect(first).not.toContain('shown by b');
  expect(second).toContain('shown by b');
  expect(second).toContain('&lt;b&gt;mind');
  expect(first).not.toContain('code of');
  expect(sheetSize(notebook, 'frames')).toEqual({ width: 1_280, height: 720, count: 2 });
});

test('fits the sheet to the contents of a board or a frame, within the largest size that can be drawn', () => {
  expect(sheetSize(notebook, { frameId: 'first' })).toEqual({ width: 640, height: 360, count: 1 });
  expect(sheetSize(notebook, { frameId: 'a' })).toBeNull();
  expect(sheetSize(notebook, 'board')).toEqual({ width: 1_704, height: 424, count: 1 });
  const far = { atoll: { canvas: { items: { ...items, far: { kind: 'sticky', x: 900_000, y: 0 } } } } };
  expect(sheetSize({ ...notebook, metadata: far }, 'board')?.width).toBeLessThanOrEqual(3_200);
  expect(sheetSize({ cells: [], metadata: {} }, 'board')).toBeNull();
});

test('draws well-formed XML for any output of a cell', () => {
  const svg = sheetsAsSvg(`<img alt="" src="x"><br><details open>a & b\u0007&nbsp;</details>`, 'a>b{}', {
    width: 10,
    height: 10,
  });
  expect(svg).toContain('<img alt="" src="x"/><br/><details open="">a &amp; b&#160;</details>');
  expect(svg).toContain('<style>a&gt;b{}</style>');
});
