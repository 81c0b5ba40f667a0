import { expect, test } from 'vitest';
import { NotANotebook, parseNotebook, sourceOf, writeNotebook } from './ipynb.ts';

const text = `${JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', id: 'a', metadata: { x: 1 }, source: ['# Title\n', 'text'] },
      { cell_type: 'code', id: 'b', metadata: {}, execution_count: 3, outputs: [], source: [] },
    ],
    metadata: { kernelspec: { name: 'python3' }, 'of others': true },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
)}\n`;

test('A notebook comes back as it was, with what we do not know', () => {
  const document = parseNotebook(text);
  expect(sourceOf(document.cells[0] as never)).toBe('# Title\ntext');
  expect(writeNotebook(document)).toBe(text);
});

test('Text of outputs is written as lines', () => {
  const document = parseNotebook(text);
  Object.assign(document.cells[1] ?? {}, { outputs: [{ output_type: 'stream', name: 'stdout', text: 'a\nb' }] });
  expect(JSON.parse(writeNotebook(document)).cells[1].outputs[0].text).toEqual(['a\n', 'b']);
});

test.each(['', '{', 'null', '[]', '{"cells": 1}', '{"cells": [], "nbformat": 3}', '{"cells": [1], "nbformat": 4}'])(
  'What is no notebook is said to be none: %s',
  (bad) => {
    expect(() => parseNotebook(bad)).toThrow(NotANotebook);
  },
);
