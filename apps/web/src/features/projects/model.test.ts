import type { Platform } from '@atoll/contract/platforms';
import type { Template } from '@atoll/contract/projects/entity';
import type { ProjectKind } from '@atoll/contract/projects/kinds';
import { describe, expect, it } from 'vitest';
import { featuredTemplates, groupTemplates, isUploadable, parseListSearch, toQuery } from './model.ts';

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

describe('templates', () => {
  const template = (name: string, kind: ProjectKind, title = name): Template => ({
    ...{ name, kind, title, description: 'Text', language: 'python', tags: ['data'] },
  });
  const all = [
    template('explore-csv', 'notebook', 'Explore a table'),
    template('canvas-dashboard', 'canvas'),
    template('strategy-breakout', 'strategy'),
  ];

  it('lead with what the variant is about', () => {
    const names = (platform: Platform) => featuredTemplates(all, platform).map(({ name }) => name);
    expect(names('atoll')).toEqual(['explore-csv', 'canvas-dashboard']);
    expect(names('crypto')).toEqual(['strategy-breakout', 'explore-csv', 'canvas-dashboard']);
  });

  it('are found by all words of a search, in groups', () => {
    const found = (search: string) => groupTemplates(all, search).map(({ label }) => label);
    expect(found('')).toEqual(['Notebooks', 'Canvases and dashboards', 'Strategies']);
    expect(found('table explore')).toEqual(['Notebooks']);
    expect(found('data nothing')).toEqual([]);
  });
});

it.each([
  ['a.ipynb', true],
  ['a.CSV', true],
  ['a.csv.gz', true],
  ['a.zip', true],
  ['a.exe', false],
  ['a.gz', false],
])('a project from %s: %s', (name, expected) => expect(isUploadable(name)).toBe(expected));
