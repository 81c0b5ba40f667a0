import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLarge, writeLarge } from './large.ts';
import { NotANotebook, type NotebookFile, readNotebook } from './read.ts';
import { type WrittenCell, writeNotebook } from './write.ts';

/** Simulates a save without changes. */
const unchanged = ({ cells, metadata }: NotebookFile) => ({
  metadata,
  cells: cells.map((cell): WrittenCell => ({ ...cell, shown: null })),
});
/** Removes fields of the file's own format. */
const shape = ({ cells, metadata }: NotebookFile) => ({ metadata, cells: cells.map(({ raw: _, ...cell }) => cell) });
const asJupyter = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

const folder = new URL('corpus/', import.meta.url);
const corpus = Object.fromEntries(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
);

describe('notebooks of the world', () => {
  test.each(Object.entries(corpus))('opens %s, and writes the file of Jupyter back byte for byte', (name, text) => {
    const file = readNotebook(text);
    expect(file.cells.length).toBeGreaterThan(0);
    expect(file.problems).toEqual(name.includes('odd') ? expect.any(Array) : []);
    const written = writeNotebook(text, unchanged(file));
    if (JSON.parse(text).nbformat === 4 && JSON.parse(text).nbformat_minor >= 5) expect(written).toBe(text);
    else expect(shape(readNotebook(written))).toEqual(shape(file));
  });

  test('there are enough of them', () => expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(8));
});

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('-0'));
const fields = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => !/^\d+$/.test(name)),
  json,
);
const sources = fc.oneof(fc.string(), fc.array(fc.string()));
const anyOutput = fc.oneof(
  fc.record({ name: fc.constantFrom('stdout', 'stderr'), output_type: fc.constant('stream'), text: sources }),
  fc.record({ data: fields, metadata: fields, output_type: fc.constant('display_data') }),
  fc.record({
    ename: fc.string(),
    evalue: fc.string(),
    output_type: fc.constant('error'),
    traceback: fc.array(fc.string()),
  }),
);
const anyCell = fc.oneof(
  fc.record({
    cell_type: fc.constant('code'),
    execution_count: fc.option(fc.nat()),
    id: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
    metadata: fields,
    outputs: fc.array(anyOutput, { maxLength: 3 }),
    source: sources,
  }),
  fc.record({
    cell_type: fc.constantFrom('markdown', 'raw'),
    id: fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
    metadata: fields,
    source: sources,
    unknown: json,
  }),
);
const anyNotebook = fc.record({
  cells: fc.uniqueArray(anyCell, { selector: ({ id }) => id, maxLength: 8 }),
  metadata: fields,
  nbformat: fc.constant(4),
  nbformat_minor: fc.constant(5),
  other: json,
});

test('import, then export, is the identity', () => {
  fc.assert(
    fc.property(anyNotebook, (value) => {
      const text = asJupyter(value);
      expect(writeNotebook(text, unchanged(readNotebook(text)))).toBe(text);
    }),
    { numRuns: 300 },
  );
});

describe('a large one', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const readInParts = (text: string) =>
    readLarge(bytesOf(text), ({ raw: _, ...cell }, outputs) => ({ ...cell, outputs: [...outputs] }));
  const readWhole = (text: string) => {
    const { cells, ...file } = readNotebook(text);
    return { ...file, cells: cells.map(({ raw: _, ...cell }) => cell) };
  };

  test.each(Object.entries(corpus))('reads %s in parts with the same result as a whole', (_name, text) => {
    const { raw: _, ...whole } = readWhole(text);
    expect(readInParts(text)).toMatchObject(whole);
  });

  test('is written with its outputs unchanged, byte for byte', () => {
    const shown = { name: 'stdout', output_type: 'stream', text: `${'🌊 "]}\\\\'.repeat(60)}\n` };
    fc.assert(
      fc.property(anyNotebook, fc.boolean(), (value, isTight) => {
        const cells = value.cells.map((cell) =>
          'outputs' in cell ? { ...cell, outputs: [shown, ...cell.outputs] } : cell,
        );
        const text = isTight ? JSON.stringify({ ...value, cells }) : asJupyter({ ...value, cells });
        expect(readInParts(text).cells).toEqual(readWhole(text).cells);
        const notebook = unchanged(readNotebook(text));
        expect(textOf(writeLarge(bytesOf(text), notebook, 'mark'))).toBe(writeNotebook(text, notebook));
        const [, ...rest] = notebook.cells;
        const other = { ...notebook, cells: rest.map((cell) => ({ ...cell, source: 'another' })).reverse() };
        expect(textOf(writeLarge(bytesOf(text), other, 'mark'))).toBe(writeNotebook(text, other));
      }),
      { numRuns: 200 },
    );
  });

  test('reports an error within its outputs', () => {
    const whole = (outputs: string) =>
      `{"cells": [{"cell_type": "code", "metadata": {}, "source": "", "outputs": ${outputs}}], "nbformat": 4}`;
    const long = '"x": 1, '.repeat(100);
    for (const outputs of [`[{${long}}]`, `[{"a": [}], ${long.slice(0, -2)}}]`, `[1, ${'2, '.repeat(200)}]`])
      expect(() => readInParts(whole(outputs))).toThrow(NotANotebook);
    const deep = `[${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]`;
    expect(() => readInParts(whole(deep))).toThrow(NotANotebook);
  });
});

test('keeps the form of numbers, and the place of unchanged fields', () => {
  const text = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "a",
   "metadata": {
    "x": 1.0,
    "small": 1e-07,
    "large": 12345678901234567890
   },
   "outputs": [],
   "source": "one\\ntwo"
  },
  {
   "zebra": 1.50,
   "cell_type": "markdown",
   "id": "b",
   "metadata": {},
   "source": []
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
  const file = readNotebook(text);
  expect(writeNotebook(text, unchanged(file))).toBe(text);
  const { metadata, cells } = unchanged(file);
  const [first, second] = cells;
  if (!first || !second) throw new Error('no cells');
  const edited = writeNotebook(text, { metadata, cells: [first, { ...second, source: 'hi' }] });
  expect(edited).toBe(text.replace('"source": []', '"source": [\n    "hi"\n   ]'));
});

test('gives cells without ids the same ids each time, and none twice', () => {
  const text = asJupyter({
    cells: [
      { cell_type: 'code', source: '1' },
      { cell_type: 'code', id: 'cell-1', source: '2' },
      { cell_type: 'raw', id: 'cell-1' },
    ],
    nbformat: 4,
    nbformat_minor: 4,
  });
  const ids = readNotebook(text).cells.map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  expect(readNotebook(text).cells.map(({ id }) => id)).toEqual(ids);
});

describe('what is no notebook', () => {
  test.each(['{', 'null', '[]', '{"cells": 1}', '7', '"text"'])('rejects %s', (bad) => {
    expect(() => readNotebook(bad)).toThrow(NotANotebook);
  });

  test('an empty file is a notebook with one empty cell', () => {
    expect(readNotebook('').cells).toMatchObject([{ type: 'code', source: '' }]);
    expect(JSON.parse(writeNotebook('', unchanged(readNotebook(''))))).toMatchObject({ nbformat: 4, cells: [{}] });
  });

  test('reports the conflict marks of a merge', () => {
    const conflict = '{\n<<<<<<< HEAD\n "cells": [],\n=======\n "cells": [],\n>>>>>>> other\n "nbformat": 4\n}';
    expect(() => readNotebook(conflict)).toThrow(/marks of a merge/);
  });

  test('rejects endless nesting instead of walking through it', () => {
    const deep = `{"cells": [], "nbformat": 4, "metadata": ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`;
    expect(() => readNotebook(deep)).toThrow(NotANotebook);
  });

  test('reads or rejects with a reason whatever comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          anyNotebook.map((value) => JSON.stringify(value).slice(0, -3)),
        ),
        (text) => {
          try {
            readNotebook(text);
          } catch (error) {
            expect(error).toBeInstanceOf(NotANotebook);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
