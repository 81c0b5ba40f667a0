import { expect, it } from 'vitest';
import { requestId } from './request-id.ts';

it('names requests by random UUIDs', () => {
  const ids = Array.from({ length: 100 }, requestId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
