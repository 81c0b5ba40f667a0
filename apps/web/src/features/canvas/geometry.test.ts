import { describe, expect, it } from 'vitest';
import { fittedBeside, nameScale } from './camera.ts';
import {
  aligned,
  contains,
  distributed,
  fitting,
  mapOf,
  overlaps,
  resized,
  scaledInto,
  simplified,
  snapped,
  toBoard,
  viewOf,
  zoomedAt,
} from './geometry.ts';

const box = (x: number, y: number, w = 100, h = 50) => ({ x, y, w, h });
describe('the camera', () => {
  it('keeps the point under the pointer at its place', () => {
    const camera = { x: 10, y: -20, zoom: 0.5 };
    for (const zoom of [0.1, 0.7, 3]) {
      for (const at of [
        { x: 0, y: 0 },
        { x: 812, y: -3_000 },
      ]) {
        const [before, after] = [toBoard(camera, at), toBoard(zoomedAt(camera, at, zoom), at)];
        expect(after.x).toBeCloseTo(before.x, 6);
        expect(after.y).toBeCloseTo(before.y, 6);
      }
    }
  });

  it('shows all of the boxes that it is fitted to', () => {
    const screen = { w: 800, h: 600 };
    for (const each of [box(0, 0), box(-4_000, 90, 3_000, 20), box(7, 7, 16, 2_500)]) {
      const view = viewOf(fitting(each, screen), screen);
      expect(contains(view, each)).toBe(true);
    }
    const huge = box(-40_000, 90, 300_000, 20_000);
    expect(contains(viewOf(mapOf(huge, screen, 6), screen), huge)).toBe(true);
  });
});

describe('what lies over the board', () => {
  const screen = { w: 1200, h: 800 };
  const corner = { w: 208, h: 184 };
  const free = (camera: { zoom: number; x: number; y: number }, each: ReturnType<typeof box>) =>
    (each.x + each.w) * camera.zoom + camera.x <= screen.w - corner.w ||
    (each.y + each.h) * camera.zoom + camera.y <= screen.h - corner.h;

  it('covers nothing of the fitted boxes, wide or high', () => {
    for (const each of [box(0, 0, 3_000, 2_000), box(0, 0, 5_000, 500), box(40, 0, 4_000, 2_600)]) {
      const note = box(each.x + each.w - 100, each.y + each.h - 50);
      const camera = fittedBeside(corner, each, [note], screen, 1);
      expect(free(camera, note)).toBe(true);
      expect(contains(viewOf(camera, screen), each)).toBe(true);
    }
  });

  it('takes no room where nothing is', () => {
    const all = box(0, 0, 3_000, 2_000);
    expect(fittedBeside(corner, all, [box(0, 0)], screen, 1)).toEqual(fitting(all, screen));
  });

  it('enlarges names of frames from afar, but not over the things above them', () => {
    const frame = box(0, 200, 400, 300);
    expect(nameScale(frame, [frame], 1)).toBe(1);
    expect(nameScale(frame, [frame, box(20, 240)], 0.25)).toBeCloseTo(3.2);
    expect(nameScale(frame, [frame, box(600, 100, 100, 90)], 0.25)).toBeCloseTo(3.2);
    expect(nameScale(frame, [frame, box(0, 100, 200, 50)], 0.25)).toBeCloseTo(40 / 23.25);
    expect(nameScale(frame, [frame, box(0, 100, 200, 99)], 0.25)).toBe(1);
  });
});

describe('boxes', () => {
  it('snap to the nearest line in reach, and to no line that is further', () => {
    expect(snapped(box(103, 200), [box(100, 0)], 6)).toMatchObject({ dx: -3, dy: 0, guides: [{ axis: 'x', at: 100 }] });
    expect(snapped(box(130, 200), [box(100, 0)], 6)).toMatchObject({ dx: 0, guides: [] });
  });

  it('are aligned and distributed', () => {
    const boxes = [box(0, 0), box(30, 80), box(300, 90, 40)];
    expect(aligned(boxes, 'left').map(({ x }) => x)).toEqual([0, 0, 0]);
    expect(aligned(boxes, 'bottom').map(({ y, h }) => y + h)).toEqual([140, 140, 140]);
    const [one, two, three] = distributed(boxes, 'x');
    expect((two?.x ?? 0) - (one?.x ?? 0) - 100).toBe((three?.x ?? 0) - (two?.x ?? 0) - 100);
  });

  it('are resized by each side, and keep a least size', () => {
    expect(resized(box(0, 0), 'se', 20, 10, 16)).toEqual(box(0, 0, 120, 60));
    expect(resized(box(0, 0), 'nw', 20, 10, 16)).toEqual(box(20, 10, 80, 40));
    expect(resized(box(0, 0), 'w', 500, 0, 16)).toEqual(box(84, 0, 16, 50));
    expect(resized(box(0, 0), 'se', 100, 0, 16, true)).toEqual(box(0, 0, 200, 100));
    expect(scaledInto([box(50, 0, 50, 50)], box(0, 0), box(0, 0, 200, 100))).toEqual([box(100, 0, 100, 100)]);
  });

  it('overlap or do not', () => {
    expect(overlaps(box(0, 0), box(99, 49))).toBe(true);
    expect(overlaps(box(0, 0), box(100, 0))).toBe(false);
  });
});

it('simplifies a line by the points that lie on it', () => {
  const straight = Array.from({ length: 50 }, (_, x) => ({ x, y: 2 * x }));
  expect(simplified(straight, 0.5)).toEqual([straight[0], straight[49]]);
  const bent = [...straight, { x: 100, y: 0 }];
  expect(simplified(bent, 0.5)).toHaveLength(3);
});
