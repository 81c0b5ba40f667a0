import type { Command } from '../notebook/commands.ts';
import type { FixedKeys } from '../notebook/page/help-sheet.tsx';
import * as act from './actions.ts';
import type { Board } from './board.ts';
import { keyOfTool, type Tool } from './tools.ts';

export interface BoardCommand extends Command {
  act(board: Board): void;
}

/** The board on the screen, for the command palette. */
const shown: { board: Board | null } = { board: null };
export const showBoard = (board: Board | null): void => {
  shown.board = board;
};

const command = (
  group: Command['group'],
  id: string,
  label: string,
  keys: string[],
  run: (board: Board) => void,
): BoardCommand => ({
  id: `board-${id}`,
  label,
  group,
  keys,
  when: 'command',
  act: run,
  run: () => shown.board && run(shown.board),
});

const step = (dx: number, dy: number, by: number) => (board: Board) => {
  if (board.getSelection().length > 0 && board.canEdit()) act.nudge(board, dx * by, dy * by);
  else board.pan(-dx * by * 8, -dy * by * 8);
};

function next(board: Board, by: 1 | -1): void {
  const order = board
    .all()
    .sort((one, other) => Math.round(one.y / 40) - Math.round(other.y / 40) || one.x - other.x)
    .map(({ id }) => id);
  const [chosen] = board.getSelection();
  const at = chosen ? order.indexOf(chosen) : by > 0 ? -1 : 0;
  const id = order[(at + by + order.length) % order.length];
  if (!id) return;
  board.select([id]);
  board.reveal(id);
}

function write(board: Board): void {
  const [only, ...others] = board.selected();
  if (!only || others.length > 0 || !board.canEdit()) return;
  if (only.kind === 'cell') board.ui.focus(only.id, 'edit', { cursor: 'end' });
  else if (['sticky', 'text', 'shape', 'frame'].includes(only.kind)) board.edits(only.id);
}

const arrows = [
  ['ArrowLeft', -1, 0, 'left'],
  ['ArrowRight', 1, 0, 'right'],
  ['ArrowUp', 0, -1, 'up'],
  ['ArrowDown', 0, 1, 'down'],
] as const;

export const boardCommands: BoardCommand[] = [
  command('Running', 'run', 'Run selected cells', ['Shift+Enter', 'Mod+Enter'], (board) => act.run(board)),
  command('Running', 'run-all', 'Run all cells', ['Mod+F9'], ({ store }) => void store.runAll()),
  command('Navigation', 'edit', 'Edit', ['Enter'], write),
  command('Navigation', 'leave', 'Clear selection', ['Escape'], (board) => {
    if (board.getTool() !== 'select') board.use('select');
    else board.select([]);
  }),
  command('Navigation', 'next', 'Next item', ['Tab'], (board) => next(board, 1)),
  command('Navigation', 'previous', 'Previous item', ['Shift+Tab'], (board) => next(board, -1)),
  command('Navigation', 'select-all', 'Select all', ['Mod+A'], (board) =>
    board.select(board.all().flatMap(({ id, isLocked }) => (isLocked ? [] : id))),
  ),
  ...arrows.flatMap(([key, dx, dy, where]) => [
    command('Cells', `move-${where}`, `Move ${where}`, [key], step(dx, dy, 8)),
    command('Cells', `nudge-${where}`, `Nudge ${where}`, [`Shift+${key}`], step(dx, dy, 1)),
    command('Cells', `resize-${where}`, `Resize ${where}`, [`Alt+${key}`], (board) =>
      act.grow(board, dx * 16, dy * 16),
    ),
  ]),
  command('Cells', 'delete', 'Delete', ['Delete', 'Backspace'], act.remove),
  command('Cells', 'duplicate', 'Duplicate', ['Mod+D'], act.duplicate),
  command('Cells', 'copy', 'Copy', ['Mod+C'], act.copy),
  command('Cells', 'cut', 'Cut', ['Mod+X'], (board) => {
    act.copy(board);
    act.remove(board);
  }),
  command('Cells', 'group', 'Group', ['Mod+G'], act.group),
  command('Cells', 'ungroup', 'Ungroup', ['Mod+Shift+G'], act.ungroup),
  command('Cells', 'lock', 'Lock or unlock', ['Mod+Shift+L'], act.toggleLock),
  command('Cells', 'front', 'Bring to front', [']'], (board) => act.raise(board, 'front')),
  command('Cells', 'back', 'Send to back', ['['], (board) => act.raise(board, 'back')),
  command('Cells', 'connect', 'Connect two with an arrow', ['K'], act.connect),
  command('Cells', 'undo', 'Undo', ['Mod+Z', 'Z'], ({ store }) => void store.undo()),
  command('Cells', 'redo', 'Redo', ['Mod+Shift+Z', 'Mod+Y', 'Shift+Z'], ({ store }) => void store.redo()),
  ...(['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const).map((side) =>
    command('Cells', `align-${side}`, `Align ${side}`, [], (board) => act.align(board, side)),
  ),
  command('View', 'fit', 'Fit to screen', ['Shift+!', '!', 'Shift+1'], (board) => board.fit()),
  command('View', 'fit-selection', 'Zoom to selection', ['@', 'Shift+2', 'Shift+"', '"'], (board) =>
    board.fit(board.getSelection(), 2),
  ),
  command('View', 'zoom-in', 'Zoom in', ['+', '='], (board) => board.zoomBy(1.25)),
  command('View', 'zoom-out', 'Zoom out', ['-'], (board) => board.zoomBy(1 / 1.25)),
  command('View', 'zoom-100', 'Zoom to 100%', ['0', ')'], (board) => board.zoomTo(1)),
  command('View', 'dependencies', 'Show or hide dependencies', ['D'], (board) => board.toggleDependencies()),
  command('View', 'help', 'Keyboard shortcuts', ['?', 'Shift+?'], ({ ui }) => ui.showHelp(true)),
  command('View', 'find', 'Find on the canvas', ['Mod+F'], (board) => board.showFind(true)),
  command('View', 'save', 'Save version', ['Mod+S'], ({ store }) => {
    void store.command((topic) => topic.send('save_version', {}));
  }),
];

const toolWords: Record<Tool, string> = {
  select: 'Select',
  hand: 'Pan',
  code: 'Code cell',
  markdown: 'Text cell',
  sql: 'SQL cell',
  input: 'Input',
  sticky: 'Sticky note',
  text: 'Text',
  shape: 'Shape',
  arrow: 'Arrow',
  draw: 'Draw',
  frame: 'Frame',
  comment: 'Comment',
};

/** Entries of the list of keys for pointer actions, which are no commands. */
export const boardKeys: FixedKeys[] = [
  {
    group: 'Tools',
    rows: Object.entries(keyOfTool).map(([tool, key]) => ({ label: toolWords[tool as Tool], keys: [key] })),
  },
  ...(['Running', 'Navigation', 'Cells', 'View'] as const).map((group) => ({
    group: group === 'Cells' ? 'Items' : group,
    rows: boardCommands.filter((each) => each.group === group && each.keys.length > 0),
  })),
  {
    group: 'With the pointer',
    rows: [
      { label: 'Pan', keys: ['Space'] },
      { label: 'Add to the selection', keys: ['Shift'] },
      { label: 'Move without snapping', keys: ['Alt'] },
    ],
  },
];
