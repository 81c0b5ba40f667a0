import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Throttle } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The seconds in which it ran, of so many, when it would use `cores` whenever it may. */
function ranFor(share: number, cores: number, seconds: number): number {
  let isHeld = false;
  let used = 0;
  const throttle = new Throttle(share, (held) => {
    isHeld = held;
  });
  for (let tick = 0; tick < seconds * 100; tick++) {
    if (!isHeld) used += cores / 100;
    if (tick % 25 === 0) throttle.see(used, tick / 100);
    vi.advanceTimersByTime(10);
  }
  throttle.close();
  return used;
}

test.each([
  [0.25, 1],
  [0.5, 1],
  [1, 2],
  [1.5, 8],
])('limits to a share of %f a kernel that would use %f, after a burst of one second', (share, cores) => {
  const used = ranFor(share, cores, 60);
  expect(used).toBeGreaterThan(60 * share * 0.9);
  expect(used).toBeLessThan(60 * share * 1.15 + 1 + cores);
});

test('never holds a kernel below its share', () => {
  const hold = vi.fn();
  const throttle = new Throttle(1, hold);
  for (let second = 0; second < 100; second++) throttle.see(second * 0.9, second);
  expect(hold).not.toHaveBeenCalled();
});
