import { describe, expect, it } from 'vitest';
import { checkSlug, contentsOf, parseGallerySearch, parseReading, placeName } from './model.ts';

const entry = (level: number, text = 'x') => ({ level, text, anchor: text });

describe('the contents', () => {
  it('begin with the highest heading there is, and leave out what lies too deep', () => {
    expect(contentsOf([entry(2), entry(3), entry(2), entry(4), entry(5)]).map(({ depth }) => depth)).toEqual([
      0, 1, 0, 2,
    ]);
  });

  it('are empty without headings', () => {
    expect(contentsOf([])).toEqual([]);
  });
});

describe('the address', () => {
  it.each([
    ['high-water', null],
    ['a1', 'Use 3 to 80 characters.'],
    ['x'.repeat(81), 'Use 3 to 80 characters.'],
    ['High', 'Use small letters, digits and single hyphens.'],
    ['a--b', 'Use small letters, digits and single hyphens.'],
    ['-ab', 'Use small letters, digits and single hyphens.'],
  ])('%s', (slug, said) => {
    expect(checkSlug(slug)).toBe(said);
  });
});

describe('what stands in the address of the gallery', () => {
  it('is taken where it makes sense', () => {
    expect(parseGallerySearch({ search: 'tide', tags: ['a', 3], sort_by: 'view_count', page: '2' })).toEqual({
      search: 'tide',
      tags: ['a'],
      sort_by: 'view_count',
      page: 2,
    });
    expect(parseGallerySearch({ search: '', tags: '', sort_by: 'constructor', page: -1 })).toEqual({});
    expect(parseReading({ version: '2' })).toEqual({ version: 2 });
    expect(parseReading({ version: 'x' })).toEqual({});
  });

  it('has a name', () => {
    expect(placeName({})).toBe('Publications');
    expect(placeName({ type: 'report', category: 'data_science' })).toBe('Data science: Reports');
  });
});
