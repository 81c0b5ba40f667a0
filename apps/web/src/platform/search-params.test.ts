import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

describe('search parameters', () => {
  it('are text, whatever they look like', () =>
    expect(parseSearch('?code=1e5&state=true&n=12345678901234567890')).toEqual({
      code: '1e5',
      state: 'true',
      n: '12345678901234567890',
    }));
  it('take lists by brackets or by repetition', () =>
    expect(parseSearch('?tags[]=a&mode=x&mode=y&one[]=z')).toEqual({ tags: ['a'], mode: ['x', 'y'], one: ['z'] }));
  it('come back the same', () => {
    for (const search of [{ a: 'x y', tags: ['1', 'ü&='] }, { q: '%', 'odd key': '#' }, {}]) {
      expect(parseSearch(stringifySearch(search))).toEqual(search);
    }
  });
  it('leave out what is not set', () => expect(stringifySearch({ a: undefined, b: null, c: 0 })).toBe('?c=0'));
  it('cannot reach a prototype', () => {
    parseSearch('?__proto__=x&constructor=y');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
