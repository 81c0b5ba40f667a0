import { describe, expect, it } from 'vitest';
import { formatSize } from './model.ts';

describe('sizes', () => {
  it('count in 1024', () =>
    expect([0, 1, 1023, 1024, 1536, 1024 ** 2 * 100].map(formatSize)).toEqual([
      '0 bytes',
      '1 byte',
      '1,023 bytes',
      '1 KB',
      '1.5 KB',
      '100 MB',
    ]));
});
