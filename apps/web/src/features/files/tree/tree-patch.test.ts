import type { ProjectFile } from '@atoll/contract/files/entity';
import { describe, expect, it } from 'vitest';
import { patchTree } from './tree-patch.ts';

const file = (id: string, more: Partial<ProjectFile> = {}) =>
  ({ id, path: `${id}.txt`, name: `${id}.txt`, version: 1, updated_at: '2026-01-01', ...more }) as ProjectFile;
const folder = (path: string) => ({ path, name: path, created_at: '2026-01-01' });
const tree = { files: [file('a'), file('b')], directories: [folder('old')] };
const change = (more: object) => ({
  change: 'saved' as const,
  files: [] as ProjectFile[],
  deleted_ids: [] as string[],
  directories: [] as ReturnType<typeof folder>[],
  is_partial: false,
  ...more,
});
const paths = (patched: ReturnType<typeof patchTree>) => patched?.files.map((each) => each.path);

describe('a tree after an event of its project', () => {
  it('has created, renamed and saved files, and no deleted ones', () => {
    const made = patchTree(tree, change({ files: [file('c')], directories: [folder('old'), folder('new')] }));
    expect(paths(made)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(made?.directories.map(({ path }) => path)).toEqual(['old', 'new']);
    const moved = file('a', { path: 'new/a.txt', updated_at: '2026-01-02' });
    expect(paths(patchTree(tree, change({ files: [moved] })))).toEqual(['new/a.txt', 'b.txt']);
    expect(patchTree(tree, change({ files: [file('b', { version: 2 })] }))?.files[1]?.version).toBe(2);
    expect(paths(patchTree(tree, change({ deleted_ids: ['a'] })))).toEqual(['b.txt']);
    expect(paths(patchTree(tree, change({ deleted_ids: ['gone already'] })))).toEqual(['a.txt', 'b.txt']);
  });

  it('keeps newer files of this window', () => {
    const known = {
      ...tree,
      files: [file('a', { version: 3 }), file('b', { updated_at: '2026-02-01', path: 'z.txt' })],
    };
    const told = patchTree(known, change({ files: [file('a', { version: 2 }), file('b')] }));
    expect(told?.files).toEqual(known.files);
  });

  it('is loaded again when the event is incomplete', () => {
    expect(patchTree(tree, change({ is_partial: true }))).toBeNull();
  });
});
