import { expect, test } from 'vitest';
import { Journal } from './journal.ts';
import type { HostEventBody } from './types.ts';

const said = (text: string): HostEventBody => ({
  type: 'message',
  message: { channel: 'iopub', type: 'stream', content: { text }, metadata: {}, buffers: [], executionId: null },
});

test('holds a kernel with too many unstored events until there is room again', () => {
  const holds: boolean[] = [];
  const journal = new Journal('a', (isHeld) => holds.push(isHeld));
  const quarter = 'x'.repeat(256 * 1024);
  for (let count = 0; count < 7; count++) journal.add(said(quarter));
  expect(holds).toEqual([]);
  journal.add(said(quarter));
  expect(holds).toEqual([true]);
  journal.stored(1);
  expect(holds).toEqual([true]);
  journal.stored(7);
  expect(holds).toEqual([true, false]);
  expect(journal.after(0).map(({ sequence }) => sequence)).toEqual([8]);
  expect(journal.add({ type: 'state', state: 'idle' }).sequence).toBe(9);
});

test('releases a held kernel for an interrupt, and holds it again when it continues', () => {
  const holds: boolean[] = [];
  const journal = new Journal('a', (isHeld) => holds.push(isHeld));
  const quarter = 'x'.repeat(256 * 1024);
  for (let count = 0; count < 8; count++) journal.add(said(quarter));
  journal.hear();
  expect(holds).toEqual([true, false]);
  for (let count = 0; count < 7; count++) journal.add(said(quarter));
  expect(holds).toEqual([true, false]);
  journal.add(said(quarter));
  expect(holds).toEqual([true, false, true]);
  journal.stored(8);
  expect(holds).toEqual([true, false, true]);
  journal.stored(11);
  expect(holds).toEqual([true, false, true, false]);
  for (let count = 0; count < 3; count++) journal.add(said(quarter));
  expect(holds).toEqual([true, false, true, false, true]);
});
