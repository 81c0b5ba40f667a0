import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fields, isFields } from '../fields.ts';
import { readNotebook } from '../file/read.ts';
import { writeNotebook } from '../file/write.ts';
import {
  arranged,
  arrowEnds,
  boardLimits,
  boundsOf,
  compareThings,
  edgeOf,
  itemOf,
  placeOf,
  type Thing,
  takeItems,
  withItems,
} from './layout.ts';

const anyJson = fc.jsonValue({ maxDepth: 3 });
const anyFields = fc.oneof(
  fc.dictionary(fc.constantFrom('kind', 'x', 'y', 'w', 'h', 'z', 'grid', 'points', 'from', 'to', 'text'), anyJson),
  fc.record({ kind: fc.constantFrom('arrow', 'drawing', 'frame', 'later'), x: fc.double(), w: fc.double() }),
) as fc.Arbitrary<Fields>;

describe('a layout', () => {
  test('reads any JSON as a layout that can be drawn', () => {
    const { place, least, most } = boardLimits;
    fc.assert(
      fc.property(anyFields, (fields) => {
        const item = itemOf({ id: 'a', fields });
        const cell = placeOf({ id: 'b', metadata: { atoll: { place: fields } } });
        for (const thing of [item, cell]) {
          if (!thing) continue;
          for (const value of [thing.x, thing.y, thing.z]) expect(Math.abs(value)).toBeLessThanOrEqual(place);
          for (const value of [thing.w, thing.h]) {
            expect(value).toBeGreaterThanOrEqual(least);
            expect(value).toBeLessThanOrEqual(most);
          }
          if (thing.grid) expect(thing.grid.x + thing.grid.w).toBeLessThanOrEqual(12);
        }
        expect(item?.points.every(Number.isFinite)).toBe(true);
      }),
    );
  });

  test('keeps an unknown kind, and reports a cell that has no place', () => {
    expect(itemOf({ id: 'a', fields: { kind: 'hologram', x: 3 } })).toMatchObject({ kind: 'unknown', x: 3 });
    expect(placeOf({ id: 'a', metadata: {} })).toBeNull();
    expect(placeOf({ id: 'a', metadata: { atoll: { place: { x: null, y: 2 } } } })).toBeNull();
    expect(placeOf({ id: 'a', metadata: { atoll: { place: { x: -1e99, y: 2, w: -5 } } } })).toMatchObject({
      x: -boardLimits.place,
      w: boardLimits.least,
    });
  });

  test('draws an arrow to its attached thing, and to the former place of a deleted one', () => {
    const fields = { kind: 'arrow', from: { on: 'a', x: 1, y: 1 }, to: { on: 'gone', x: 300, y: 50 } };
    const arrow = itemOf({ id: 'arrow', fields });
    if (!arrow) throw new Error('No arrow');
    const box = { x: 0, y: 0, w: 100, h: 100 };
    expect(arrowEnds(arrow, (id) => (id === 'a' ? box : undefined))).toEqual([
      { x: 100, y: 50 },
      { x: 300, y: 50 },
    ]);
    expect(edgeOf(box, { x: 50, y: 50 })).toEqual({ x: 50, y: 50 });
  });

  test('has one order, frames below and arrows above', () => {
    const things = ['arrow', 'sticky', 'frame', 'text'].map((kind, index) =>
      itemOf({ id: String(index), fields: { kind, z: -index } }),
    ) as Thing[];
    expect(things.sort(compareThings).map(({ kind }) => kind)).toEqual(['frame', 'text', 'sticky', 'arrow']);
  });

  test('of a notebook without one puts no cell on another', () => {
    const cells = Array.from({ length: 40 }, (_, index) => ({
      id: `c${index}`,
      type: 'markdown' as const,
      source: index % 7 === 0 ? '# Part' : 'text',
    }));
    const boxes = [...arranged(cells, (id) => id.length * 100).values()];
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const apart =
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect(apart).toBe(true);
      }
    }
    expect(boundsOf(boxes)?.h).toBeLessThan(2_000);
    expect(boundsOf([])).toBeNull();
  });
});

describe('a file', () => {
  const withCanvas = (items: unknown) =>
    `${JSON.stringify(
      {
        cells: [
          { cell_type: 'code', execution_count: null, id: 'a', metadata: { tags: ['x'] }, outputs: [], source: ['1'] },
        ],
        metadata: { kernelspec: { name: 'python3' }, atoll: { canvas: { items, grid: 1 } } },
        nbformat: 4,
        nbformat_minor: 5,
      },
      null,
      1,
    )}\n`;

  const written = (file: string, change: (items: { id: string; fields: Fields }[]) => typeof items) => {
    const { cells, metadata } = readNotebook(file);
    const taken = takeItems(metadata);
    const shown = cells.map((cell) => ({ ...cell, shown: null }));
    return writeNotebook(file, { metadata: withItems(taken.metadata, change(taken.items)), cells: shown });
  };

  test('stays the same byte for byte when nothing was moved', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, fc.dictionary(fc.string(), anyFields)), (items) => {
        const file = withCanvas(items);
        expect(written(file, (same) => same)).toBe(file);
      }),
    );
    const plain = '{\n "cells": [],\n "metadata": {},\n "nbformat": 4,\n "nbformat_minor": 5\n}\n';
    expect(written(plain, (same) => same)).toBe(plain);
  });

  test('keeps all fields of Jupyter when a thing was moved', () => {
    const file = withCanvas({ s1: { kind: 'sticky', x: 1.0 }, 'no id!': 5 });
    const changed = written(file, (items) => [...items, { id: 's2', fields: { kind: 'text', x: 2 } }]);
    const before = JSON.parse(file);
    const after = JSON.parse(changed);
    expect(after.cells).toEqual(before.cells);
    expect(after.metadata.kernelspec).toEqual(before.metadata.kernelspec);
    const { items } = after.metadata.atoll.canvas;
    expect(isFields(items) && Object.keys(items)).toEqual(['no id!', 's1', 's2']);
  });
});
