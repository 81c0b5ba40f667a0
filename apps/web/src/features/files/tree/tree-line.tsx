import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDots, IconFolder, IconFolderOpen } from '@tabler/icons-react';
import type { DragEvent, MouseEvent } from 'react';
import { useDocumentKinds } from '../../../platform/features/registry.ts';
import { Dots } from '../../collaboration/dots.tsx';
import { fileIcon } from '../file-icon.ts';
import classes from './file-tree.module.css';
import type { TreeRow } from './tree.ts';

interface TreeLineProps {
  row: TreeRow;
  place: { top: number; height: number };
  isActive: boolean;
  isSelected: boolean;
  isShown: boolean;
  isOver: boolean;
  canDrag: boolean;
  onPress(event: MouseEvent): void;
  onMenu(place: { x: number; y: number }): void;
  onDragStart(event: DragEvent): void;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

export function TreeLine({ row, place, ...props }: TreeLineProps) {
  const kinds = useDocumentKinds();
  const Icon = row.file ? fileIcon(kinds, row.name) : row.isOpen ? IconFolderOpen : IconFolder;
  const Arrow = row.isOpen ? IconChevronDown : IconChevronRight;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and says which line is active.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles every key.
    <div
      role="treeitem"
      id={`tree-${row.path}`}
      aria-level={row.depth + 1}
      aria-selected={props.isSelected}
      aria-expanded={row.file ? undefined : row.isOpen}
      className={classes.line}
      data-active={props.isActive || undefined}
      data-shown={props.isShown || undefined}
      data-over={props.isOver || undefined}
      style={{ ...place, paddingLeft: 8 + row.depth * 14 }}
      draggable={props.canDrag}
      onClick={props.onPress}
      onContextMenu={(event) => {
        event.preventDefault();
        props.onMenu({ x: event.clientX, y: event.clientY });
      }}
      onDragStart={props.onDragStart}
      onDragOver={props.onDragOver}
      onDrop={props.onDrop}
    >
      {row.file ? <span className={classes.arrow} /> : <Arrow size={14} className={classes.arrow} aria-hidden />}
      <Icon size={16} stroke={1.5} aria-hidden className={classes.icon} />
      <span className={classes.name} title={row.name}>
        {row.name}
      </span>
      <Dots fileId={row.file?.id} />
      <ActionIcon
        size={22}
        tabIndex={-1}
        className={classes.more}
        aria-label={`Actions for ${row.name}`}
        onClick={(event) => {
          event.stopPropagation();
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          props.onMenu({ x: left, y: bottom });
        }}
      >
        <IconDots size={15} />
      </ActionIcon>
    </div>
  );
}
