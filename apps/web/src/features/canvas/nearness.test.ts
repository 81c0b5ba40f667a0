import type { Box, Thing } from '@atoll/notebook';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Nearness } from './nearness.ts';

/** One thing in view, and one that comes into it when the view moves. */
const boxes: Record<string, Box> = { here: { x: 0, y: 0, w: 10, h: 10 }, there: { x: 500, y: 0, w: 10, h: 10 } };
let view: Box;
let drawn: Nearness;
let zoom: number;
let frame: Box | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16));
  view = { x: 0, y: 0, w: 100, h: 100 };
  [zoom, frame] = [1, undefined];
  drawn = new Nearness({
    isOpen: () => true,
    getView: () => view,
    getCamera: () => ({ x: 0, y: 0, zoom }),
    getIds: () => Object.keys(boxes),
    getThing: (id) => ({ id }) as Thing,
    boxOf: (id) => boxes[id],
    isSelected: () => false,
    shownFrame: () => frame,
    emit: () => {},
  });
  drawn.rest();
  vi.advanceTimersByTime(1_000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('draws things that come into view while panning, also in one gesture with a zoom before it', () => {
  expect([drawn.of('here'), drawn.of('there')]).toEqual(['near', 'far']);
  drawn.move('zoom');
  vi.advanceTimersByTime(50);
  view = { ...view, x: 450 };
  drawn.move('pan');
  vi.advanceTimersByTime(40);
  // A pinch pans between its steps, and draws nothing.
  expect(drawn.of('there')).toBe('far');
  for (let step = 0; step < 4; step += 1) {
    vi.advanceTimersByTime(50);
    drawn.move('pan');
  }
  vi.advanceTimersByTime(40);
  expect(drawn.of('there')).toBe('low');
  drawn.rest();
  vi.advanceTimersByTime(40);
  expect(drawn.of('there')).toBe('near');
});

test('draws things that come into view before those that can wait', () => {
  boxes.far = { x: 5_000, y: 0, w: 10, h: 10 };
  drawn.look();
  view = { ...view, x: 450 };
  drawn.move('pan');
  vi.advanceTimersByTime(20);
  delete boxes.far;
  expect(drawn.of('there')).toBe('low');
});

test('uses pictures from afar, but not in a slide', () => {
  zoom = 0.2;
  drawn.rest();
  vi.advanceTimersByTime(40);
  expect(drawn.of('here')).toBe('low');
  frame = view;
  drawn.rest();
  vi.advanceTimersByTime(40);
  expect(drawn.of('here')).toBe('near');
});
