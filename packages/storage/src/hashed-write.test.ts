import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { writeHashed } from './hashed-write.ts';

test('gives back the memory of what it was handed for good, and of nothing that others share', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'content');
  const whole = Buffer.alloc(100_000, 'a');
  const shared = Buffer.alloc(100_000, 'b');
  const hash = createHash('sha256');
  const content = Readable.from([whole, shared.subarray(0, 10)]);
  const size = await writeHashed(content, { path, hash, offset: 0, end: 1e6, isDraining: true });
  expect(size).toBe(100_010);
  const expected = 'a'.repeat(100_000) + 'b'.repeat(10);
  expect(readFileSync(path, 'utf8')).toBe(expected);
  expect(hash.digest('hex')).toBe(createHash('sha256').update(expected).digest('hex'));
  expect([whole.length, shared.length]).toEqual([0, 100_000]);
});
