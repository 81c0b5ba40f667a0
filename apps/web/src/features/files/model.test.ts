import { describe, expect, it } from 'vitest';
import { formatSize, viewsOf } from './model.ts';

describe('sizes', () => {
  it('count in 1024', () =>
    expect([0, 1, 1023, 1024, 1536, 1024 ** 2 * 100].map(formatSize)).toEqual([
      '0 bytes',
      '1 bytes',
      '1,023 bytes',
      '1 KB',
      '1.5 KB',
      '100 MB',
    ]));
});

describe('views', () => {
  it('fit what is in the file', () => {
    expect(viewsOf({ name: 'a.py', size: 1 })).toEqual(['code']);
    expect(viewsOf({ name: 'a.md', size: 1 })).toEqual(['code', 'preview']);
    expect(viewsOf({ name: 'a.ipynb', size: 1 })).toEqual(['preview', 'code']);
    expect(viewsOf({ name: 'a.png', size: 1 })).toEqual(['preview']);
    expect(viewsOf({ name: 'a.zip', size: 1 })).toEqual([]);
    expect(viewsOf({ name: 'a.csv', size: 1 })).toEqual(['data', 'code']);
    expect(viewsOf({ name: 'a.CSV', size: 1024 ** 3 })).toEqual(['data']);
    expect(viewsOf({ name: 'a.parquet', size: 1 })).toEqual(['data']);
    expect(viewsOf({ name: 'big.txt', size: 1024 ** 3 })).toEqual([]);
  });
});
