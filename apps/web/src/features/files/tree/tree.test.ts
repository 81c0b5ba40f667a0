import type { Directory, ProjectFile } from '@atoll/contract/files/entity';
import { baseName } from '@atoll/contract/files/paths';
import { describe, expect, it } from 'vitest';
import { outermost, type Tree, treeRows, withMoved, without } from './tree.ts';

const tree = (files: string[], folders: string[] = []): Tree => ({
  files: files.map((path) => ({ id: path, path, name: baseName(path) }) as ProjectFile),
  directories: folders.map((path) => ({ path, name: baseName(path) }) as Directory),
});
const drawn = (of: Tree, open: string[] | 'all' = 'all') =>
  treeRows(of, (path) => open === 'all' || open.includes(path)).map(
    ({ depth, name }) => `${'  '.repeat(depth)}${name}`,
  );

describe('the tree', () => {
  it('has folders first and sorts numbers by value', () =>
    expect(drawn(tree(['b10.txt', 'b9.txt', 'A.txt', 'z/one.py'], ['empty']))).toEqual([
      'empty',
      'z',
      '  one.py',
      'A.txt',
      'b9.txt',
      'b10.txt',
    ]));

  it('hides the contents of closed folders', () => expect(drawn(tree(['a/b/c.txt']), ['a'])).toEqual(['a', '  b']));

  it('moves and removes folders with their contents, and nothing beside them', () => {
    const before = tree(['a/b.txt', 'ab.txt'], ['a']);
    expect(withMoved(before, 'a', 'x/a').files.map(({ path }) => path)).toEqual(['x/a/b.txt', 'ab.txt']);
    expect(without(before, ['a']).files.map(({ path }) => path)).toEqual(['ab.txt']);
  });

  it('draws ten thousand files at once', () => {
    const many = tree(Array.from({ length: 10_000 }, (_, index) => `folder ${index % 100}/file ${index}.txt`));
    const before = performance.now();
    expect(drawn(many)).toHaveLength(10_100);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('keeps the outermost entries of a selection', () => expect(outermost(['a', 'a/b', 'ab'])).toEqual(['a', 'ab']));
});
