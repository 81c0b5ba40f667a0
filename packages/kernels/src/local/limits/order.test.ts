import { expect, test } from 'vitest';
import { Order } from './order.ts';

class Kernel {
  isLast = false;
  goLast(isLast: boolean): void {
    this.isLast = isLast;
  }
}

/** Two processors, sampled every quarter of a second: `uses` is each kernel's use of one, `idle` the unused part. */
function machine(count: number, read?: () => null) {
  const seconds = { idle: 0, all: 0 };
  const order = new Order(read ?? (() => ({ ...seconds })));
  let at = 0;
  const kernels = Array.from({ length: count }, () => new Kernel());
  const used = new Map(kernels.map((kernel) => [kernel, { all: 0, own: 0 }]));
  const look = (idle: number, uses: { all: number; own?: number }[] = [], passed = 0.25) => {
    at += passed;
    seconds.all += 2 * passed;
    seconds.idle += idle * passed;
    kernels.forEach((kernel, index) => {
      const { all = 0, own = all } = uses[index] ?? {};
      const before = used.get(kernel) ?? { all: 0, own: 0 };
      used.set(kernel, { all: before.all + all * passed, own: before.own + own * passed });
    });
    order.see(used, at);
    return kernels.map(({ isLast }) => isLast);
  };
  look(2);
  return { order, kernels, look };
}

test('puts a long computation last until it rests, and leaves a short one alone', () => {
  const { look } = machine(2);
  expect(look(1, [{ all: 1 }])).toEqual([false, false]);
  expect(look(0.8, [{ all: 1 }, { all: 0.2 }])).toEqual([true, false]);
  expect(look(1.8, [{ all: 0.2 }])).toEqual([true, false]);
  expect(look(1.95, [{ all: 0.05 }])).toEqual([false, false]);
});

test('looks again soon at a new computation, and not at a known or resting one', () => {
  const { order, look } = machine(2);
  const isUndecidedAfter = (...seen: Parameters<typeof look>) => {
    look(...seen);
    return order.isUndecided;
  };
  expect(isUndecidedAfter(2)).toBe(false);
  expect(isUndecidedAfter(1, [{ all: 1 }])).toBe(true);
  expect(isUndecidedAfter(1, [{ all: 1 }], 0.08)).toBe(false);
  expect(isUndecidedAfter(0.6, [{ all: 1 }, { all: 0.4 }])).toBe(true);
  // A medium use, because it could stay so for hours.
  expect(isUndecidedAfter(0.8, [{ all: 1 }, { all: 0.2 }], 0.08)).toBe(false);
});

test('keeps its share on a machine that is busy with other work', () => {
  const { look } = machine(1);
  for (let count = 0; count < 3; count++) expect(look(0, [{ all: 0.9 }])).toEqual([false]);
  expect(look(0.2, [{ all: 1 }])).toEqual([true]);
  expect(look(0, [{ all: 0.01 }])).toEqual([false]);
});

test('does not count the use of short computations and writers as left', () => {
  const { look } = machine(3);
  const uses = [{ all: 0.4 }, { all: 0.8, own: 0.05 }, { all: 0.2 }];
  for (let count = 0; count < 3; count++) expect(look(0.2, uses)).toEqual([false, false, false]);
  expect(look(0.7, uses)).toEqual([true, false, false]);
});

test('puts no kernel last where the machine does not report its idle time', () => {
  const { look } = machine(1, () => null);
  for (let count = 0; count < 3; count++) expect(look(1, [{ all: 1 }])).toEqual([false]);
});

test('puts several that share the whole machine last together', () => {
  const { look } = machine(5);
  const uses = Array.from({ length: 5 }, () => ({ all: 0.38 }));
  look(0, uses);
  expect(look(0, uses)).toEqual([true, true, true, true, true]);
});

test('does not put a kernel last while the system writes for it, unless requested', () => {
  const { order, kernels, look } = machine(1);
  const writes = [{ all: 1, own: 0.15 }];
  for (let count = 0; count < 3; count++) expect(look(1, writes)).toEqual([false]);
  for (const kernel of kernels) order.last(kernel);
  expect(look(1, writes)).toEqual([true]);
  // The time since the last look is too short for a result.
  expect(look(2, [], 0.04)).toEqual([true]);
  expect(look(2)).toEqual([false]);
});

test('keeps an ending kernel last, whatever it does', () => {
  const { order, kernels, look } = machine(1);
  for (const kernel of kernels) order.lastForGood(kernel);
  expect(look(0, [{ all: 1, own: 0.05 }])).toEqual([true]);
  expect(look(2)).toEqual([true]);
});
