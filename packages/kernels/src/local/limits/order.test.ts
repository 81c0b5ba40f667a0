import { expect, test } from 'vitest';
import { Order } from './order.ts';

class Kernel {
  isLast = false;
  goLast(isLast: boolean): void {
    this.isLast = isLast;
  }
}

/** Two processors, looked at each quarter of a second; each kernel uses such parts of one, and so much else is idle. */
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

test('who computes on goes last until it rests; a short one does not', () => {
  const { look } = machine(2);
  expect(look(1, [{ all: 1 }])).toEqual([false, false]);
  expect(look(0.8, [{ all: 1 }, { all: 0.2 }])).toEqual([true, false]);
  expect(look(1.8, [{ all: 0.2 }])).toEqual([true, false]);
  expect(look(1.95, [{ all: 0.05 }])).toEqual([false, false]);
});

test('who has just begun to compute is worth another look soon, who is known or rests is not', () => {
  const { order, look } = machine(2);
  const isUndecidedAfter = (...seen: Parameters<typeof look>) => {
    look(...seen);
    return order.isUndecided;
  };
  expect(isUndecidedAfter(2)).toBe(false);
  expect(isUndecidedAfter(1, [{ all: 1 }])).toBe(true);
  expect(isUndecidedAfter(1, [{ all: 1 }], 0.08)).toBe(false);
  expect(isUndecidedAfter(0.6, [{ all: 1 }, { all: 0.4 }])).toBe(true);
  // Neither much nor little: it could stay so for hours.
  expect(isUndecidedAfter(0.8, [{ all: 1 }, { all: 0.2 }], 0.08)).toBe(false);
});

test('on a machine that is busy with other things it has its share', () => {
  const { look } = machine(1);
  for (let count = 0; count < 3; count++) expect(look(0, [{ all: 0.9 }])).toEqual([false]);
  expect(look(0.2, [{ all: 1 }])).toEqual([true]);
  expect(look(0, [{ all: 0.01 }])).toEqual([false]);
});

test('what short ones and writers take is not left for it', () => {
  const { look } = machine(3);
  const uses = [{ all: 0.4 }, { all: 0.8, own: 0.05 }, { all: 0.2 }];
  for (let count = 0; count < 3; count++) expect(look(0.2, uses)).toEqual([false, false, false]);
  expect(look(0.7, uses)).toEqual([true, false, false]);
});

test('nobody goes last where the machine does not tell what is left', () => {
  const { look } = machine(1, () => null);
  for (let count = 0; count < 3; count++) expect(look(1, [{ all: 1 }])).toEqual([false]);
});

test('several that share all of it go last together', () => {
  const { look } = machine(5);
  const uses = Array.from({ length: 5 }, () => ({ all: 0.38 }));
  look(0, uses);
  expect(look(0, uses)).toEqual([true, true, true, true, true]);
});

test('who has the system write for it does not, unless it is told to at once', () => {
  const { order, kernels, look } = machine(1);
  const writes = [{ all: 1, own: 0.15 }];
  for (let count = 0; count < 3; count++) expect(look(1, writes)).toEqual([false]);
  for (const kernel of kernels) order.last(kernel);
  expect(look(1, writes)).toEqual([true]);
  // Too soon after the last look to say anything.
  expect(look(2, [], 0.04)).toEqual([true]);
  expect(look(2)).toEqual([false]);
});

test('who is about to end stays last, whatever it does', () => {
  const { order, kernels, look } = machine(1);
  for (const kernel of kernels) order.lastForGood(kernel);
  expect(look(0, [{ all: 1, own: 0.05 }])).toEqual([true]);
  expect(look(2)).toEqual([true]);
});
