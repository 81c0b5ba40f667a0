import { expect, test } from 'vitest';
import { followStep } from './follow.ts';

const view = { top: 100, bottom: 900 };

test('scrolls the next cell into sight as long as the cell that ran before it stays there', () => {
  expect(followStep(view, { top: 300 }, { top: 500, bottom: 560 })).toBe(0);
  expect(followStep(view, { top: 300 }, { top: 880, bottom: 940 })).toBe(40);
  expect(followStep(view, { top: 300 }, { top: 900, bottom: 2_000 })).toBe(96);
  // The output of the cell is taller than the viewport.
  expect(followStep(view, { top: 300 }, { top: 2_000, bottom: 2_060 })).toBe(200);
  expect(followStep(view, { top: 90 }, { top: 2_000, bottom: 2_060 })).toBe(0);
});
