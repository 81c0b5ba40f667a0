import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gapFor, packed, type Tile, tilesOf, withTile } from './grid.ts';

const box = fc.integer({ min: 1, max: 12 }).chain((w) =>
  fc.record({
    x: fc.integer({ min: 0, max: 12 - w }),
    y: fc.integer({ min: 0, max: 40 }),
    w: fc.constant(w),
    h: fc.integer({ min: 1, max: 8 }),
  }),
);
const tiles = fc
  .array(box, { maxLength: 20 })
  .map((boxes): Tile[] => boxes.map((each, id) => ({ id: `t${id}`, ...each })));

const clashes = (all: readonly Tile[]) =>
  all.filter((one) =>
    all.some(
      (other) =>
        other.id !== one.id &&
        one.x < other.x + other.w &&
        other.x < one.x + one.w &&
        one.y < other.y + other.h &&
        other.y < one.y + one.h,
    ),
  );

describe('a dashboard', () => {
  test('has nothing on anything else and no row without a tile, whatever is stored', () => {
    fc.assert(
      fc.property(tiles, (all) => {
        const shown = packed(all);
        expect(clashes(shown)).toEqual([]);
        expect(shown.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
        const rows = Math.max(0, ...shown.map(({ y, h }) => y + h));
        for (let row = 0; row < rows; row += 1) expect(shown.some(({ y, h }) => y <= row && row < y + h)).toBe(true);
        expect(packed(shown)).toEqual(shown);
      }),
    );
  });

  test('takes a tile where it was dropped, and keeps its columns and size', () => {
    fc.assert(
      fc.property(tiles, box, (all, to) => {
        const shown = withTile(packed(all), { id: 't0', ...to });
        expect(clashes(shown)).toEqual([]);
        expect(shown.find(({ id }) => id === 't0')).toMatchObject({ x: to.x, w: to.w, h: to.h });
      }),
    );
  });

  test('is the same in whichever order the moves of two people arrive, where they move different tiles', () => {
    fc.assert(
      fc.property(tiles, box, box, (all, one, other) => {
        const stored = new Map(all.map((tile) => [tile.id, tile]));
        const moved = (...moves: Tile[]) =>
          packed([...new Map([...stored, ...moves.map((tile) => [tile.id, tile] as const)]).values()]);
        const [a, b] = [
          { id: 'a', ...one },
          { id: 'b', ...other },
        ];
        expect(moved(a, b)).toEqual(moved(b, a));
      }),
    );
  });

  test('changes places with a tile that is passed by more than half, up and down', () => {
    const all = [
      { id: 'a', x: 0, y: 0, w: 6, h: 4 },
      { id: 'b', x: 0, y: 4, w: 6, h: 4 },
    ];
    const order = (y: number, id: string) => {
      const [tile] = all.filter((each) => each.id === id);
      return withTile(all, { ...(tile as Tile), y }).map((each) => each.id);
    };
    expect([order(1, 'a'), order(3, 'a')]).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
    expect([order(3, 'b'), order(1, 'b')]).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
  });

  test('bounds what is dropped outside or made too large', () => {
    expect(withTile([], { id: 'a', x: 30, y: -4, w: 99, h: 1e9 })).toEqual([{ id: 'a', x: 0, y: 0, w: 12, h: 100 }]);
  });

  test('puts a new tile into the first gap', () => {
    const all = [
      { id: 'a', x: 0, y: 0, w: 6, h: 4 },
      { id: 'b', x: 0, y: 4, w: 12, h: 2 },
    ];
    expect(gapFor(all, { w: 6, h: 4 })).toEqual({ x: 6, y: 0, w: 6, h: 4 });
    expect(gapFor(all, { w: 7, h: 1 })).toEqual({ x: 0, y: 6, w: 7, h: 1 });
  });

  test('has cells and items, also cells that are not on the board', () => {
    const place = (grid: unknown) => ({ atoll: { place: { grid } } });
    const cells = [
      { id: 'a', metadata: place({ x: 0, y: 0, w: 6, h: 2 }) },
      { id: 'b', metadata: place('left') },
      { id: 'c', metadata: {} },
    ];
    const items = [
      { id: 'n', fields: { kind: 'text', grid: { x: 0, y: 9, w: 3, h: 1 } } },
      { id: 'gone', fields: null },
    ];
    expect(tilesOf(cells, items).map(({ id, y }) => [id, y])).toEqual([
      ['a', 0],
      ['n', 2],
    ]);
  });
});
