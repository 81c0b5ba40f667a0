import type { CellOutput } from '@atoll/contract';
import { expect, test } from 'vitest';
import { isPictureMissing } from './model.ts';

const said = (length: number): CellOutput => ({ output_type: 'stream', name: 'stdout', text: 'x'.repeat(length) });
const drawn: CellOutput = { output_type: 'display_data', data: { 'image/png': 'AA' }, metadata: {} };
const missing = (outputs: CellOutput[], outputs_total: number) => isPictureMissing({ outputs, outputs_total });

test('loads a missing picture by itself, but not the rest of a long text', () => {
  expect(missing([], 1)).toBe(true);
  expect(missing([said(10)], 2)).toBe(true);
  expect(missing([said(40_000), drawn], 3)).toBe(true);
  expect(missing([said(32_000)], 30)).toBe(false);
  expect(missing([said(10_000), said(10_000)], 30)).toBe(false);
  expect(missing([drawn], 1)).toBe(false);
});
