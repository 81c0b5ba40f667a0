import type { BoardItem, DocumentCell } from '@atoll/contract';
import { fieldsOf } from '../fields.ts';
import { type Box, gridColumns, gridOf } from './layout.ts';

/** A tile of the dashboard: a cell or an item, in columns and rows. */
export interface Tile extends Box {
  id: string;
}

/** The tiles of the dashboard; a cell can be there without a place on the board. */
export function tilesOf(
  cells: readonly Pick<DocumentCell, 'id' | 'metadata'>[],
  items: readonly Pick<BoardItem, 'id' | 'fields'>[],
): Tile[] {
  const taken = new Set(cells.map(({ id }) => id));
  const found = [
    ...cells.map(({ id, metadata }) => ({ id, grid: gridOf(fieldsOf(fieldsOf(metadata.atoll).place).grid) })),
    ...items.flatMap(({ id, fields }) => (fields && !taken.has(id) ? { id, grid: gridOf(fields.grid) } : [])),
  ];
  return packed(found.flatMap(({ id, grid }) => (grid ? { id, ...grid } : [])));
}

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

const byPlace = (one: Tile, other: Tile): number =>
  one.y - other.y || one.x - other.x || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** The shown layout: no tile on another, and no empty rows. The tile that was placed first stays, the others move. */
export function packed(tiles: readonly Tile[], first?: string): Tile[] {
  const placed: Tile[] = [];
  const inOrder = tiles.toSorted(
    (one, other) => one.y - other.y || Number(other.id === first) - Number(one.id === first) || byPlace(one, other),
  );
  for (const tile of inOrder) {
    let y = 0;
    // Below every tile it would lie on, because it cannot pass earlier tiles.
    for (const other of placed)
      if (overlaps({ ...tile, y: 0, h: Number.POSITIVE_INFINITY }, other)) y = Math.max(y, other.y + other.h);
    placed.push({ ...tile, y });
  }
  return placed.sort(byPlace);
}

/** Moves or resizes one tile: it goes to its place, and tiles in its way go below it. */
export function withTile(tiles: readonly Tile[], moved: Tile): Tile[] {
  const w = Math.min(gridColumns, Math.max(1, Math.round(moved.w)));
  const tile = {
    id: moved.id,
    x: Math.min(gridColumns - w, Math.max(0, Math.round(moved.x))),
    y: Math.max(0, Math.round(moved.y)),
    w,
    h: Math.min(100, Math.max(1, Math.round(moved.h))),
  };
  const before = tiles.find(({ id }) => id === tile.id);
  const isDown = before !== undefined && tile.y > before.y;
  // A tile that is passed by more than half changes places.
  const others = tiles.flatMap((other) => {
    if (other.id === tile.id) return [];
    if (isDown || !overlaps(tile, other) || tile.y >= other.y + other.h / 2) return other;
    return { ...other, y: tile.y + tile.h };
  });
  const passed = others.filter(
    (other) => isDown && overlaps(tile, other) && tile.y + tile.h > other.y + other.h / 2 && other.y >= before.y,
  );
  const y = Math.max(tile.y, ...passed.map((other) => other.y + other.h));
  return packed([...others, { ...tile, y }], tile.id);
}

/** The place of a new tile: the first gap that it fits into, or below all. */
export function gapFor(tiles: readonly Tile[], { w, h }: { w: number; h: number }): Box {
  const bottom = Math.max(0, ...tiles.map((tile) => tile.y + tile.h));
  for (let y = 0; y < bottom; y += 1)
    for (let x = 0; x <= gridColumns - w; x += 1) {
      const box = { x, y, w, h };
      if (!tiles.some((tile) => overlaps(tile, box))) return box;
    }
  return { x: 0, y: bottom, w, h };
}
