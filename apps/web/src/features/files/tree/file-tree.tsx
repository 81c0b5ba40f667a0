import type { ProjectFile } from '@atoll/contract/files/entity';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import { droppedFiles } from '../dropped.ts';
import classes from './file-tree.module.css';
import { NameField } from './name-field.tsx';
import type { Tree, TreeRow } from './tree.ts';
import type { TreeActions } from './tree-actions.ts';
import { onTreeKey } from './tree-keys.ts';
import { TreeLine } from './tree-line.tsx';
import { type MenuPlace, TreeMenu } from './tree-menu.tsx';
import { folderOf, type TreeState } from './tree-state.ts';

const lineHeight = 28;
const draggedType = 'application/x-tree-paths';

interface FileTreeProps {
  projectId: string;
  tree: Tree;
  state: TreeState;
  actions: TreeActions;
  shownId: string | undefined;
  canEdit: boolean;
  onOpen(file: ProjectFile): void;
}

export function FileTree({ projectId, tree, state, actions, shownId, canEdit, onOpen }: FileTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const { rows, naming, active, selected } = state;
  const lines = useMemo(() => withDraft(rows, naming), [rows, naming]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 12,
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another line asks for scrolling.
  useEffect(() => {
    const at = lines.findIndex((line) => line.path === active);
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [active]);

  const open = (row: TreeRow) => (row.file ? onOpen(row.file) : state.toggle(row.path));
  const finish = (name: string | null) => {
    if (naming && name) void actions.finishNaming(naming, name);
    state.name(null);
    scroller.current?.focus();
  };
  const drag = {
    onDragOver: (event: DragEvent, folder: string) => {
      if (!canEdit) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(folder);
    },
    onDrop: (event: DragEvent, folder: string) => {
      event.preventDefault();
      event.stopPropagation();
      setOver(null);
      const paths = event.dataTransfer.getData(draggedType);
      if (paths) actions.moveInto(JSON.parse(paths), folder);
      else if (event.dataTransfer.types.includes('Files'))
        actions.uploadDropped(folder, droppedFiles(event.dataTransfer));
    },
    onDragStart: (event: DragEvent, row: TreeRow) => {
      const paths = selected.has(row.path) ? [...selected] : [row.path];
      event.dataTransfer.setData(draggedType, JSON.stringify(paths));
      event.dataTransfer.effectAllowed = 'move';
    },
  };

  return (
    <>
      <div
        ref={scroller}
        role="tree"
        tabIndex={0}
        aria-label="Files"
        aria-multiselectable
        aria-activedescendant={active ? `tree-${active}` : undefined}
        className={classes.tree}
        data-over={over === '' || undefined}
        onKeyDown={(event) =>
          event.target === scroller.current && onTreeKey(event, { state, actions, canEdit, onOpen: open })
        }
        onFocus={() => !active && rows[0] && state.choose(rows[0].path)}
        onDragOver={(event) => drag.onDragOver(event, '')}
        onDragLeave={() => setOver(null)}
        onDrop={(event) => drag.onDrop(event, '')}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            const place = { top: item.start, height: lineHeight };
            const isNamed = line.isDraft || (naming?.kind === 'rename' && naming.path === line.path);
            if (isNamed && naming) {
              return (
                <NameField key="naming" tree={tree} naming={naming} depth={line.depth} place={place} onDone={finish} />
              );
            }
            const folder = folderOf(line);
            return (
              <TreeLine
                key={line.path}
                row={line}
                place={place}
                isActive={line.path === active}
                isSelected={selected.has(line.path)}
                isShown={line.file?.id === shownId && shownId !== undefined}
                isOver={over !== null && over !== '' && over === line.path}
                canDrag={canEdit}
                onPress={(event) => {
                  if (event.shiftKey) return state.chooseTo(line.path);
                  if (event.metaKey || event.ctrlKey) return state.chooseAlso(line.path);
                  state.choose(line.path);
                  open(line);
                }}
                onMenu={(place) => {
                  if (!selected.has(line.path)) state.choose(line.path);
                  setMenu({ ...place, row: line });
                }}
                onDragStart={(event) => drag.onDragStart(event, line)}
                onDragOver={(event) => drag.onDragOver(event, folder)}
                onDrop={(event) => drag.onDrop(event, folder)}
              />
            );
          })}
        </div>
      </div>
      <TreeMenu
        projectId={projectId}
        place={menu}
        state={state}
        actions={actions}
        canEdit={canEdit}
        onClose={() => setMenu(null)}
      />
    </>
  );
}

interface Line extends TreeRow {
  isDraft?: boolean;
}

/** A line for the name of a new entry, first in its folder. */
function withDraft(rows: TreeRow[], naming: TreeState['naming']): Line[] {
  if (!naming || naming.kind === 'rename') return rows;
  const at = rows.findIndex((row) => row.path === naming.path);
  const draft: Line = {
    path: `${naming.path}/`,
    name: '',
    depth: at < 0 ? 0 : (rows[at]?.depth ?? 0) + 1,
    file: null,
    isOpen: false,
    isDraft: true,
  };
  return [...rows.slice(0, at + 1), draft, ...rows.slice(at + 1)];
}
