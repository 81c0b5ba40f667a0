import { expect, test } from 'vitest';
import { newId } from './columns.ts';

test('ids sort by creation, however many are created in a millisecond', () => {
  const ids = Array.from({ length: 50_000 }, newId);
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const made = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16);
  expect(Math.abs(Date.now() - made)).toBeLessThan(60_000);
});
