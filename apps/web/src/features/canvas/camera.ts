import { type Box, boundsOf } from '@atoll/notebook';
import { type Camera, clampZoom, overlaps, zoomLimits } from './geometry.ts';

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
