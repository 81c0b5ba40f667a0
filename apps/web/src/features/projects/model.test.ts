import { describe, expect, it } from 'vitest';
import { parseListSearch, toQuery } from './model.ts';

describe('the list in the address', () => {
  it('keeps what is known and drops the rest', () => {
    expect(
      parseListSearch({
        mode: 'shared',
        mode_filter: ['deleted', 'nonsense'],
        type: 'notebook',
        tags: ['a', ''],
        page: '3',
        page_size: '7',
        sort_by: 'owner',
        is_filtering: 'true',
      }),
    ).toEqual({
      mode: 'shared',
      mode_filter: ['deleted'],
      type: ['notebook'],
      tags: ['a'],
      page: 3,
      is_filtering: true,
    });
  });

  it('says nothing about what is usual', () => {
    const usual = parseListSearch({ mode: 'my', view: 'cards', page: '1', page_size: '48', sort_by: 'updated_at' });
    expect(Object.values(usual).filter((value) => value !== undefined)).toEqual([]);
  });

  it('sorts names from A and everything else newest first', () => {
    expect(toQuery({ sort_by: 'name' }).sort_direction).toBe('asc');
    expect(toQuery({}).sort_direction).toBe('desc');
    expect(parseListSearch({ sort_by: 'name', sort_direction: 'asc' }).sort_direction).toBeUndefined();
    expect(parseListSearch({ sort_by: 'name', sort_direction: 'desc' }).sort_direction).toBe('desc');
  });
});
