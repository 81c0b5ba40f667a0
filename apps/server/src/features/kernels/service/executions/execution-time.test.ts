import { expect, test } from 'vitest';
import type { Context } from '../../../../platform/context.ts';
import type { KernelSessionRow } from '../../table.ts';
import { ExecutionTime } from './execution-time.ts';

/** The counted time of executions that end in this order, given as from and to. */
function counted(...ends: [from: number, to: number][]): number {
  const row = { usedMs: 0 } as KernelSessionRow;
  const time = new ExecutionTime({} as Context, row, null);
  for (const [index, [from, to]] of ends.entries()) {
    const result = { status: 'ok' as const, executionCount: 1, error: null, userExpressions: {}, end: null };
    const common = { kernelId: 'k', executionId: `${index}`, sequence: index, overrun: null, result };
    time.count({ type: 'finished', ...common, at: to, milliseconds: to - from }, index === ends.length - 1);
  }
  expect(time.goingMs).toBe(0);
  return row.usedMs;
}

test('counts no extra time for an execution that runs beside another', () => {
  expect(counted([0, 10])).toBe(10);
  expect(counted([0, 10], [20, 25])).toBe(15);
  // One inside another, overlapping before and after its end; and several that form one piece.
  expect(counted([3, 6], [0, 10])).toBe(10);
  expect(counted([0, 6], [4, 10])).toBe(10);
  expect(counted([0, 4], [2, 8], [1, 9])).toBe(9);
  expect(counted([2, 4], [6, 8], [0, 10])).toBe(10);
});
