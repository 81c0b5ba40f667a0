import { parentOf } from '@atoll/contract/files/paths';
import { useMemo, useState } from 'react';
import { readForVisit, writeForVisit } from '../../../platform/storage.ts';
import { type Tree, type TreeRow, treeRows } from './tree.ts';

/** A name that is being typed: of a new entry in a folder, or of an existing one. */
export interface Naming {
  kind: 'file' | 'folder' | 'rename';
  /** The folder of the new entry, or the path to rename. */
  path: string;
}

const keyOf = (projectId: string) => `open_folders:${projectId}`;
const readOpen = (projectId: string) => new Set((readForVisit(keyOf(projectId)) ?? '').split('\n').filter(Boolean));

/** The open folders, the selection and the name field of one tree. */
export function useTreeState(projectId: string, tree: Tree) {
  const [open, setOpen] = useState(() => readOpen(projectId));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string | null>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const rows = useMemo(() => treeRows(tree, (path) => open.has(path)), [tree, open]);

  const changeOpen = (change: (paths: Set<string>) => void) =>
    setOpen((current) => {
      const next = new Set(current);
      change(next);
      writeForVisit(keyOf(projectId), [...next].join('\n'));
      return next;
    });

  const indexOf = (path: string | null) => rows.findIndex((row) => row.path === path);

  return {
    rows,
    selected,
    active,
    naming,
    indexOf,
    toggle: (path: string) =>
      changeOpen((paths) => {
        if (!paths.delete(path)) paths.add(path);
      }),
    /** Opens every folder on the way to a path. */
    reveal: (path: string) =>
      changeOpen((paths) => {
        for (let folder = parentOf(path); folder; folder = parentOf(folder)) paths.add(folder);
      }),
    choose: (path: string) => {
      setActive(path);
      setSelected(new Set([path]));
    },
    chooseAlso: (path: string) => {
      setActive(path);
      setSelected(
        (current) => new Set(current.has(path) ? [...current].filter((each) => each !== path) : [...current, path]),
      );
    },
    /** Selects all lines between the active one and this one. */
    chooseTo: (path: string) => {
      const [from, to] = [Math.max(0, indexOf(active)), indexOf(path)].sort((one, other) => one - other);
      setSelected((current) => new Set([...current, ...rows.slice(from, (to ?? 0) + 1).map((row) => row.path)]));
      setActive(path);
    },
    chooseAll: () => setSelected(new Set(rows.map((row) => row.path))),
    name: (wanted: Naming | null) => {
      if (wanted && wanted.kind !== 'rename' && wanted.path) {
        changeOpen((paths) => {
          for (let folder = wanted.path; folder; folder = parentOf(folder)) paths.add(folder);
        });
      }
      setNaming(wanted);
    },
  };
}

export type TreeState = ReturnType<typeof useTreeState>;

/** Returns the folder for a new entry, from a line of the tree. */
export const folderOf = (row: TreeRow | undefined): string => (row ? (row.file ? parentOf(row.path) : row.path) : '');
