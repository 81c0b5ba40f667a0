import { type Box, boundsOf } from '@atoll/notebook';
import { readLocal } from '../../platform/storage.ts';
import { type Camera, clampZoom, fitting, overlaps, toBoard, zoomLimits } from './geometry.ts';

/** The bounds of most things: one thing that is a million pixels away must not make all others too small to be seen. */
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

/**
 * The corner of a board that the minimap and the zoom buttons cover, above the tools on a narrow screen; phones have no
 * minimap.
 */
export const takenCorner = (screen: { w: number }): { w: number; h: number } | null =>
  readLocal(minimap.key) === 'off' || matchMedia('(max-width: 48em)').matches
    ? null
    : { w: minimap.w + 24, h: minimap.h + (screen.w > 1040 ? 68 : 124) };

/**
 * Fits all things. Where one would lie below the covered corner, they are fitted beside or above it, whichever allows the
 * larger zoom.
 */
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

/** The name of a frame is readable from afar, as large as the room between the frame and the things above it. */
export function nameScale(frame: Box, others: readonly Box[], zoom: number): number {
  const wanted = Math.min(4, 0.8 / zoom);
  if (wanted <= 1) return 1;
  const above = others.filter(({ x, y, w, h }) => x < frame.x + frame.w && frame.x < x + w && y + h <= frame.y);
  const room = frame.y - Math.max(...above.map(({ y, h }) => y + h)) - nameMargin;
  return Math.max(1, Math.min(wanted, room / nameHeight));
}
/** The same as in `items.module.css`. */
const [nameHeight, nameMargin] = [15 * 1.55, 10];

/** Keeps the dots at a comfortable distance from each other. */
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
