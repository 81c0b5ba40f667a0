import { type Box, boundsOf } from '@atoll/notebook';
import { readLocal } from '../../platform/storage.ts';
import { type Camera, clampZoom, fitting, overlaps, toBoard, zoomLimits } from './geometry.ts';

/** Where most things are: one that is a million pixels away must not make all others too small to be seen. */
export function mainBounds(boxes: readonly Box[], screen: { w: number; h: number }): Box | null {
  const all = boundsOf(boxes);
  const [w, h] = [screen.w / zoomLimits.least, screen.h / zoomLimits.least];
  if (!all || (all.w <= w && all.h <= h)) return all;
  const middle = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
  const [x, y] = [middle(boxes.map((box) => box.x)), middle(boxes.map((box) => box.y))];
  const around = { x: x - w / 4, y: y - h / 4, w: w / 2, h: h / 2 };
  return boundsOf(boxes.filter((box) => overlaps(around, box))) ?? all;
}

export const minimap = { w: 184, h: 116, key: 'board_minimap' };

/** What the minimap and the zoom below it take of a board, above the tools where it is narrow; phones have no minimap. */
export const takenCorner = (screen: { w: number }): { w: number; h: number } | null =>
  readLocal(minimap.key) === 'off' || matchMedia('(max-width: 48em)').matches
    ? null
    : { w: minimap.w + 24, h: minimap.h + (screen.w > 1040 ? 68 : 124) };

/** All of it in sight: where something would lie below that corner, beside it or above it, whichever is nearer. */
export function fittedBeside(
  corner: { w: number; h: number } | null,
  box: Box,
  boxes: readonly Box[],
  { w, h }: { w: number; h: number },
  most: number,
): Camera {
  const whole = fitting(box, { w, h }, most);
  if (!corner) return whole;
  const at = toBoard(whole, { x: w - corner.w, y: h - corner.h });
  const covered = { ...at, w: corner.w / whole.zoom, h: corner.h / whole.zoom };
  if (!boxes.some((each) => overlaps(covered, each))) return whole;
  const beside = fitting(box, { w: w - corner.w, h }, most);
  const above = fitting(box, { w, h: h - corner.h }, most);
  return beside.zoom > above.zoom ? beside : above;
}

/** A frame's name can be read from afar, as large as there is room for between the frame and what is above it. */
export function nameScale(frame: Box, others: readonly Box[], zoom: number): number {
  const wanted = Math.min(4, 0.8 / zoom);
  if (wanted <= 1) return 1;
  const above = others.filter(({ x, y, w, h }) => x < frame.x + frame.w && frame.x < x + w && y + h <= frame.y);
  const room = frame.y - Math.max(...above.map(({ y, h }) => y + h)) - nameMargin;
  return Math.max(1, Math.min(wanted, room / nameHeight));
}
/** As in `items.module.css`. */
const [nameHeight, nameMargin] = [15 * 1.55, 10];

/** The dots are no closer and no further apart than can be looked at. */
export function gridStep(zoom: number): number {
  let step = 24;
  while (step * zoom < 14) step *= 2;
  while (step * zoom > 56) step /= 2;
  return step;
}

export function keptCamera(text: string | null): Camera | null {
  try {
    const { x, y, zoom } = JSON.parse(text ?? 'null') ?? {};
    return [x, y, zoom].every((value) => typeof value === 'number' && Number.isFinite(value))
      ? { x, y, zoom: clampZoom(zoom) }
      : null;
  } catch {
    return null;
  }
}
