import type { BoardItem, DocumentCell } from '@atoll/contract';
import { type Fields, fieldsOf, isFields } from '../fields.ts';

/**
 * A canvas is a notebook with a layout that Jupyter ignores: a cell's place is in its own metadata (`atoll.place`), what
 * stands beside the cells in the notebook's (`atoll.canvas.items`, by id). Nothing read here is trusted to be possible.
 */
export const itemKinds = ['sticky', 'text', 'shape', 'arrow', 'drawing', 'frame'] as const;
export type ItemKind = (typeof itemKinds)[number];
export const boardColours = ['yellow', 'orange', 'red', 'violet', 'blue', 'teal', 'green', 'grey'] as const;
export type BoardColour = (typeof boardColours)[number];
export const shapes = ['rectangle', 'ellipse', 'diamond'] as const;
export type Shape = (typeof shapes)[number];
export const textSizes = ['s', 'm', 'l', 'xl'] as const;
export type TextSize = (typeof textSizes)[number];

export interface Point {
  x: number;
  y: number;
}
export interface Box extends Point {
  w: number;
  h: number;
}

interface Placed extends Box {
  id: string;
  /** Higher things lie above lower ones. */
  z: number;
  isLocked: boolean;
  group: string | null;
  /** The place on the dashboard, in columns and rows; null: not there. */
  grid: Box | null;
}

export interface PlacedCell extends Placed {
  kind: 'cell';
  show: 'both' | 'code' | 'output';
  /** Hides the border and the title. */
  isPlain: boolean;
}

/** An end of an arrow: at an item or cell, or at its former place. */
export interface ArrowEnd extends Point {
  on: string | null;
}

export interface PlacedItem extends Placed {
  /** A kind of a newer version, which is kept and shown as a box. */
  kind: ItemKind | 'unknown';
  colour: BoardColour;
  text: string;
  size: TextSize;
  shape: Shape;
  from: ArrowEnd;
  to: ArrowEnd;
  /** The points of a drawing, one after the other, in a box of `extent`. */
  points: number[];
  extent: { w: number; h: number };
  /** The number of a frame as a slide, and its notes for the presenter. */
  order: number;
  notes: string;
}

export type Thing = PlacedCell | PlacedItem;

export const boardLimits = { place: 1_000_000, least: 16, most: 20_000, points: 20_000 };
export const gridColumns = 12;
const mostGridRows = 10_000;

const defaults: Record<PlacedItem['kind'] | 'cell', { w: number; h: number }> = {
  cell: { w: 520, h: 280 },
  sticky: { w: 200, h: 200 },
  text: { w: 240, h: 48 },
  shape: { w: 200, h: 120 },
  arrow: { w: boardLimits.least, h: boardLimits.least },
  drawing: { w: 100, h: 100 },
  frame: { w: 960, h: 540 },
  unknown: { w: 200, h: 120 },
};
export const defaultSize = (kind: PlacedItem['kind'] | 'cell') => defaults[kind];

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** JSON has no NaN, but text, null and numbers of any size. */
const numberIn = (value: unknown, low: number, high: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? clamp(value, low, high) : otherwise;

const oneOf = <Word extends string>(words: readonly Word[], value: unknown, otherwise: Word): Word =>
  words.find((word) => word === value) ?? otherwise;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function boxOf(fields: Fields, kind: PlacedItem['kind'] | 'cell'): Box {
  const { place, least, most } = boardLimits;
  const { w, h } = defaults[kind];
  return {
    x: numberIn(fields.x, -place, place, 0),
    y: numberIn(fields.y, -place, place, 0),
    w: numberIn(fields.w, least, most, w),
    h: numberIn(fields.h, least, most, h),
  };
}

const placedOf = (id: string, fields: Fields, kind: PlacedItem['kind'] | 'cell'): Placed => ({
  id,
  ...boxOf(fields, kind),
  z: numberIn(fields.z, -boardLimits.place, boardLimits.place, 0),
  isLocked: fields.locked === true,
  group: typeof fields.group === 'string' ? fields.group : null,
  grid: gridOf(fields.grid),
});

export function gridOf(value: unknown): Box | null {
  if (!isFields(value)) return null;
  const w = Math.round(numberIn(value.w, 1, gridColumns, 6));
  return {
    x: Math.round(numberIn(value.x, 0, gridColumns - w, 0)),
    y: Math.round(numberIn(value.y, 0, mostGridRows, 0)),
    w,
    h: Math.round(numberIn(value.h, 1, 100, 4)),
  };
}

/** Returns the place of a cell; null for a cell without one. */
export function placeOf({ id, metadata }: Pick<DocumentCell, 'id' | 'metadata'>): PlacedCell | null {
  const { place } = fieldsOf(metadata.atoll) as Fields;
  if (!isFields(place) || !isNumber(place.x) || !isNumber(place.y)) return null;
  return {
    ...placedOf(id, place, 'cell'),
    kind: 'cell',
    show: oneOf(['both', 'code', 'output'] as const, place.show, 'both'),
    isPlain: place.plain === true,
  };
}

/** Reads an item, as far as it can be drawn. */
export function itemOf({ id, fields }: Pick<BoardItem, 'id' | 'fields'>): PlacedItem | null {
  if (!fields) return null;
  const kind = oneOf([...itemKinds, 'unknown'] as const, fields.kind, 'unknown');
  const placed = placedOf(id, fields, kind);
  const extent = fieldsOf(fields.extent);
  return {
    ...placed,
    kind,
    colour: oneOf(boardColours, fields.colour, kind === 'sticky' ? 'yellow' : kind === 'shape' ? 'blue' : 'grey'),
    text: typeof fields.text === 'string' ? fields.text : '',
    size: oneOf(textSizes, fields.size, 'm'),
    shape: oneOf(shapes, fields.shape, 'rectangle'),
    from: endOf(fields.from, placed),
    to: endOf(fields.to, { x: placed.x + placed.w, y: placed.y + placed.h }),
    points: pointsOf(fields.points),
    extent: {
      w: numberIn(extent.w, 1, boardLimits.most, placed.w),
      h: numberIn(extent.h, 1, boardLimits.most, placed.h),
    },
    order: numberIn(fields.order, -boardLimits.place, boardLimits.place, 0),
    notes: typeof fields.notes === 'string' ? fields.notes : '',
  };
}

function endOf(value: unknown, { x, y }: Point): ArrowEnd {
  const fields = fieldsOf(value);
  const { place } = boardLimits;
  return {
    on: typeof fields.on === 'string' ? fields.on : null,
    x: numberIn(fields.x, -place, place, x),
    y: numberIn(fields.y, -place, place, y),
  };
}

function pointsOf(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  const { place, points } = boardLimits;
  const numbers = value.slice(0, points).map((each) => numberIn(each, -place, place, 0));
  return numbers.length % 2 ? numbers.slice(0, -1) : numbers;
}

/** Sorts from the lowest to the highest; frames lie under everything, arrows over it. */
export const compareThings = (one: Thing, other: Thing): number =>
  levelOf(one) - levelOf(other) || one.z - other.z || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

const levelOf = ({ kind }: Thing): number => (kind === 'frame' ? 0 : kind === 'arrow' ? 2 : 1);

/** Frames in the order of their slides. */
export const framesInOrder = (things: readonly Thing[]): PlacedItem[] =>
  things
    .filter((thing): thing is PlacedItem => thing.kind === 'frame')
    .sort((one, other) => one.order - other.order || one.y - other.y || one.x - other.x);

export const centreOf = ({ x, y, w, h }: Box): Point => ({ x: x + w / 2, y: y + h / 2 });

export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, w, h } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + w);
    bottom = Math.max(bottom, y + h);
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** The point at which a line from the middle of a box to another point leaves the box. */
export function edgeOf(box: Box, towards: Point): Point {
  const centre = centreOf(box);
  const [dx, dy] = [towards.x - centre.x, towards.y - centre.y];
  if (dx === 0 && dy === 0) return centre;
  const scale = Math.min(
    dx === 0 ? Infinity : box.w / 2 / Math.abs(dx),
    dy === 0 ? Infinity : box.h / 2 / Math.abs(dy),
  );
  return { x: centre.x + dx * scale, y: centre.y + dy * scale };
}

/** The ends of an arrow as it is drawn: at its attached things, or at their former places. */
export function arrowEnds(arrow: PlacedItem, find: (id: string) => Box | undefined): [Point, Point] {
  const [start, end] = [arrow.from, arrow.to].map((each) => (each.on === null ? undefined : find(each.on)));
  const middle = (box: Box | undefined, point: Point) => (box ? centreOf(box) : { x: point.x, y: point.y });
  return [
    start ? edgeOf(start, middle(end, arrow.to)) : middle(undefined, arrow.from),
    end ? edgeOf(end, middle(start, arrow.from)) : middle(undefined, arrow.to),
  ];
}

const gap = 40;
const columnHeight = 1_400;

/**
 * Places of the cells of a notebook without a layout: in reading order, in columns; a heading of the first or second level
 * begins a new column.
 */
export function arranged(
  cells: readonly Pick<DocumentCell, 'id' | 'type' | 'source'>[],
  heightOf: (id: string) => number,
): Map<string, Box> {
  const places = new Map<string, Box>();
  const { w } = defaults.cell;
  let [x, y] = [0, 0];
  for (const { id, type, source } of cells) {
    const h = clamp(Math.round(heightOf(id)), 72, 640);
    const isHeading = type === 'markdown' && /^\s*##?\s/.test(source);
    if (y > 0 && ((isHeading && y > columnHeight / 3) || y + h > columnHeight)) [x, y] = [x + w + gap, 0];
    places.set(id, { x, y, w, h });
    y += h + gap / 2;
  }
  return places;
}

/** Sorts things in reading order: neighbours form a row, from left to right. */
export function rowsOf<Each extends Box>(boxes: readonly Each[]): Each[][] {
  const rows: { top: number; bottom: number; boxes: Each[] }[] = [];
  for (const box of boxes.toSorted((one, other) => one.y - other.y || one.x - other.x)) {
    const row = rows.at(-1);
    const shared = row ? Math.min(row.bottom, box.y + box.h) - box.y : 0;
    const isBeside =
      row && shared > 0.4 * Math.min(box.h, row.bottom - row.top) && row.boxes.every((each) => isApart(each, box));
    if (isBeside) {
      row.boxes.push(box);
      row.bottom = Math.max(row.bottom, box.y + box.h);
    } else rows.push({ top: box.y, bottom: box.y + box.h, boxes: [box] });
  }
  return rows.map((row) => row.boxes.toSorted((one, other) => one.x - other.x));
}

const isApart = (one: Box, other: Box): boolean => one.x + one.w <= other.x || other.x + other.w <= one.x;

/** Divides the columns of a row in proportion to widths. */
export function spansOf(widths: readonly number[]): number[] {
  const all = widths.reduce((sum, width) => sum + width, 0) || 1;
  const spans = widths.map((width) => Math.max(1, Math.floor((width / all) * gridColumns)));
  for (let left = gridColumns - spans.reduce((sum, span) => sum + span, 0), at = 0; left > 0; left -= 1, at += 1) {
    spans[at % spans.length] = (spans[at % spans.length] ?? 0) + 1;
  }
  return spans;
}

const isItemId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);

/** The items of a file, and its metadata without them; an invalid item stays in the metadata. */
export function takeItems(metadata: Fields): { metadata: Fields; items: { id: string; fields: Fields }[] } {
  const atoll = fieldsOf(metadata.atoll);
  const canvas = fieldsOf(atoll.canvas);
  const all = Object.entries(fieldsOf(canvas.items));
  const isItem = ([id, fields]: [string, unknown]) => isItemId(id) && isFields(fields);
  const items = all.filter(isItem).map(([id, fields]) => ({ id, fields: fields as Fields }));
  if (items.length === 0) return { metadata, items };
  const rest = Object.fromEntries(all.filter((entry) => !isItem(entry)));
  return { metadata: { ...metadata, atoll: { ...atoll, canvas: { ...canvas, items: rest } } }, items };
}

/** Adds the items to the metadata again, in the order of their ids. */
export function withItems(metadata: Fields, items: readonly Pick<BoardItem, 'id' | 'fields'>[]): Fields {
  const alive = items.flatMap(({ id, fields }) => (fields ? [[id, fields] as const] : []));
  const atoll = fieldsOf(metadata.atoll);
  const canvas = fieldsOf(atoll.canvas);
  if (alive.length === 0) return metadata;
  const all = [...Object.entries(fieldsOf(canvas.items)), ...alive].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...metadata, atoll: { ...atoll, canvas: { ...canvas, items: Object.fromEntries(all) } } };
}
