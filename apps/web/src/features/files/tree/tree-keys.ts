import { parentOf } from '@atoll/contract/files/paths';
import type { KeyboardEvent } from 'react';
import type { TreeRow } from './tree.ts';
import type { TreeActions } from './tree-actions.ts';
import type { TreeState } from './tree-state.ts';

interface TreeKeyOptions {
  state: TreeState;
  actions: TreeActions;
  canEdit: boolean;
  onOpen(row: TreeRow): void;
}

/** The keys of the tree, as in other file lists. */
export function onTreeKey(event: KeyboardEvent, { state, actions, canEdit, onOpen }: TreeKeyOptions): void {
  const { rows, active, selected } = state;
  const at = state.indexOf(active);
  const row = rows[at];
  const go = (to: number) => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!target) return;
    if (event.shiftKey) state.chooseTo(target.path);
    else state.choose(target.path);
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowRight: () => row && !row.file && (row.isOpen ? go(at + 1) : state.toggle(row.path)),
    ArrowLeft: () => {
      if (row?.isOpen) state.toggle(row.path);
      else if (row && parentOf(row.path)) state.choose(parentOf(row.path));
    },
    Enter: () => row && onOpen(row),
    ' ': () => row && state.chooseAlso(row.path),
    F2: () => row && canEdit && state.name({ kind: 'rename', path: row.path }),
    Delete: () => selected.size && canEdit && actions.remove([...selected]),
  };
  const isAll = (event.ctrlKey || event.metaKey) && event.key === 'a';
  const act = isAll ? state.chooseAll : keys[event.key];
  if (act) {
    event.preventDefault();
    act();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const letter = event.key.toLowerCase();
    const after = [...rows.slice(at + 1), ...rows.slice(0, at + 1)];
    const found = after.find(({ name }) => name.toLowerCase().startsWith(letter));
    if (found) state.choose(found.path);
  }
}
