import { type Box, boundsOf, centreOf, type Point } from '@atoll/notebook';

export interface Camera extends Point {
  zoom: number;
}

export const zoomLimits = { least: 0.05, most: 4 };
/** Text is unreadable below this zoom, so a picture stands for a cell. */
export const lowZoom = 0.3;

export const clampZoom = (zoom: number): number => Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom));

/** The camera is the position of the board's origin on the screen. */
export const toBoard = ({ x, y, zoom }: Camera, point: Point): Point => ({
  x: (point.x - x) / zoom,
  y: (point.y - y) / zoom,
});

/** Zooms while one point stays at its place. */
export function zoomedAt(camera: Camera, at: Point, zoom: number): Camera {
  const next = clampZoom(zoom);
  const { x, y } = toBoard(camera, at);
  return { x: at.x - x * next, y: at.y - y * next, zoom: next };
}

interface Size {
  w: number;
  h: number;
}

export function fitting(box: Box, screen: Size, most = 1, margin = 56): Camera {
  return framing(box, screen, clampZoom(scaleOf(box, screen, most, margin)));
}
/** Fits a box of any size, for a picture of it and not a place to work. */
export const mapOf = (box: Box, screen: Size, margin: number): Camera =>
  framing(box, screen, scaleOf(box, screen, 1, margin));

function scaleOf(box: Box, screen: Size, most: number, margin: number): number {
  return Math.min(most, (screen.w - margin * 2) / Math.max(1, box.w), (screen.h - margin * 2) / Math.max(1, box.h));
}
function framing(box: Box, screen: Size, zoom: number): Camera {
  const { x, y } = centreOf(box);
  return { x: screen.w / 2 - x * zoom, y: screen.h / 2 - y * zoom, zoom };
}

export const viewOf = (camera: Camera, screen: { w: number; h: number }): Box => ({
  ...toBoard(camera, { x: 0, y: 0 }),
  w: screen.w / camera.zoom,
  h: screen.h / camera.zoom,
});

export const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

export const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h;

export const grown = ({ x, y, w, h }: Box, by: number): Box => ({ x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by });

/** The box between two corners in any order. */
export const between = (one: Point, other: Point): Box => ({
  x: Math.min(one.x, other.x),
  y: Math.min(one.y, other.y),
  w: Math.abs(one.x - other.x),
  h: Math.abs(one.y - other.y),
});

export interface Guide {
  axis: 'x' | 'y';
  at: number;
  from: number;
  to: number;
}

/** The least shift that aligns an edge or the middle of a box with one of the others. */
export function snapped(box: Box, others: readonly Box[], reach: number): { dx: number; dy: number; guides: Guide[] } {
  const x = nearest(box, others, 'x', reach);
  const y = nearest(box, others, 'y', reach);
  const moved = { ...box, x: box.x + (x?.shift ?? 0), y: box.y + (y?.shift ?? 0) };
  const guides: Guide[] = [];
  if (x) guides.push(guide('x', x.at, moved, x.other));
  if (y) guides.push(guide('y', y.at, moved, y.other));
  return { dx: x?.shift ?? 0, dy: y?.shift ?? 0, guides };
}

const lines = (box: Box, axis: 'x' | 'y'): number[] =>
  axis === 'x' ? [box.x, box.x + box.w / 2, box.x + box.w] : [box.y, box.y + box.h / 2, box.y + box.h];

function nearest(box: Box, others: readonly Box[], axis: 'x' | 'y', reach: number) {
  let best: { shift: number; at: number; other: Box } | null = null;
  const mine = lines(box, axis);
  for (const other of others) {
    for (const at of lines(other, axis)) {
      for (const line of mine) {
        const shift = at - line;
        if (Math.abs(shift) <= reach && (!best || Math.abs(shift) < Math.abs(best.shift))) best = { shift, at, other };
      }
    }
  }
  return best;
}

function guide(axis: 'x' | 'y', at: number, one: Box, other: Box): Guide {
  const all = boundsOf([one, other]) ?? one;
  return axis === 'x' ? { axis, at, from: all.y, to: all.y + all.h } : { axis, at, from: all.x, to: all.x + all.w };
}

export type Side = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';

/** The place of each box once all are aligned. */
export function aligned<Each extends Box>(boxes: readonly Each[], side: Side): Each[] {
  const all = boundsOf(boxes);
  if (!all) return [];
  return boxes.map((box) => {
    switch (side) {
      case 'left':
        return { ...box, x: all.x };
      case 'centre':
        return { ...box, x: all.x + (all.w - box.w) / 2 };
      case 'right':
        return { ...box, x: all.x + all.w - box.w };
      case 'top':
        return { ...box, y: all.y };
      case 'middle':
        return { ...box, y: all.y + (all.h - box.h) / 2 };
      default:
        return { ...box, y: all.y + all.h - box.h };
    }
  });
}

/** Distributes boxes with equal gaps; the outermost stay. */
export function distributed<Each extends Box>(boxes: readonly Each[], axis: 'x' | 'y'): Each[] {
  const size = axis === 'x' ? 'w' : 'h';
  const all = boundsOf(boxes);
  if (!all || boxes.length < 3) return [...boxes];
  const inOrder = boxes.toSorted((one, other) => one[axis] - other[axis]);
  const room = (all[size] - inOrder.reduce((sum, box) => sum + box[size], 0)) / (inOrder.length - 1);
  let at = all[axis];
  return inOrder.map((box) => {
    const next = { ...box, [axis]: at };
    at += box[size] + room;
    return next;
  });
}

export type Handle = 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';

/** Resizes a box by its edge or corner; it keeps a least size, and its proportions on request. */
export function resized(box: Box, handle: Handle, dx: number, dy: number, least: number, isProportional = false): Box {
  const [toWest, toNorth] = [handle.includes('w'), handle.includes('n')];
  const [isWide, isTall] = [/[ew]/.test(handle), /[ns]/.test(handle)];
  let w = Math.max(least, box.w + (isWide ? (toWest ? -dx : dx) : 0));
  let h = Math.max(least, box.h + (isTall ? (toNorth ? -dy : dy) : 0));
  if (isProportional && isWide && isTall) {
    const scale = Math.max(w / box.w, h / box.h);
    [w, h] = [box.w * scale, box.h * scale];
  }
  return { x: toWest ? box.x + box.w - w : box.x, y: toNorth ? box.y + box.h - h : box.y, w, h };
}

/** Moves boxes in proportion to a frame that was resized. */
export const scaledInto = <Each extends Box>(boxes: readonly Each[], from: Box, to: Box): Each[] =>
  boxes.map((box) => ({
    ...box,
    x: to.x + ((box.x - from.x) / (from.w || 1)) * to.w,
    y: to.y + ((box.y - from.y) / (from.h || 1)) * to.h,
    w: (box.w / (from.w || 1)) * to.w,
    h: (box.h / (from.h || 1)) * to.h,
  }));

/** Removes points without which a line looks the same (Ramer, Douglas and Peucker). */
export function simplified(points: readonly Point[], tolerance: number): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return [...points];
  let [farthest, at] = [0, 0];
  for (let index = 1; index < points.length - 1; index += 1) {
    const distance = distanceTo(points[index] as Point, first, last);
    if (distance > farthest) [farthest, at] = [distance, index];
  }
  if (farthest <= tolerance) return [first, last];
  return [...simplified(points.slice(0, at + 1), tolerance).slice(0, -1), ...simplified(points.slice(at), tolerance)];
}

function distanceTo({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  return length === 0 ? Math.hypot(x - from.x, y - from.y) : Math.abs(dy * (x - from.x) - dx * (y - from.y)) / length;
}

/** A smooth path through points: curves whose handles are the points themselves. */
export function smoothPath(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return '';
  const round = (value: number) => Math.round(value * 10) / 10;
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let index = 1; index < points.length - 1; index += 1) {
    const [here, next] = [points[index] as Point, points[index + 1] as Point];
    path += `Q${round(here.x)} ${round(here.y)} ${round((here.x + next.x) / 2)} ${round((here.y + next.y) / 2)}`;
  }
  const last = points.at(-1) ?? first;
  return `${path}L${round(last.x)} ${round(last.y)}`;
}
