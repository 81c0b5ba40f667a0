import type { KeyboardEvent } from 'react';
import { isHelpOpenIn } from '../notebook/editor/code-help.ts';
import { pressed } from '../notebook/keys.ts';
import type { Board } from './board.ts';
import { boardCommands } from './commands.ts';
import { make } from './making.ts';
import { toolOfKey } from './tools.ts';

const tools = new Set(['code', 'markdown', 'sql', 'input', 'sticky', 'text', 'shape', 'frame'] as const);

/** The board's keys; editors of cells, notes and fields handle their own keys. */
export function handleKey(board: Board, event: KeyboardEvent) {
  if (event.nativeEvent.isComposing) return;
  const target = event.target as HTMLElement;
  const press = pressed(event.nativeEvent);
  const editor = target.closest('.cm-editor');
  const done = () => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (editor) {
    if (isHelpOpenIn(editor) && (press === 'Escape' || press === 'Enter')) return;
    return writing(board, press, done);
  }
  if (target.closest('input, textarea, select, [role="slider"], [role="menu"]')) return;
  if (press === 'Enter' && target.closest('button, a')) return;
  // A letter chooses the tool that the next press of Enter or of the pointer uses.
  const tool = toolOfKey.get(press);
  if (tool && board.canEdit()) {
    done();
    return board.use(tool);
  }
  if (press === 'Enter' && tools.has(board.getTool() as never)) {
    done();
    const { x, y, w, h } = board.getView();
    return make(board, board.getTool() as never, { x: x + w / 2, y: y + h / 2 });
  }
  const command = boardCommands.find(({ keys }) => keys.includes(press));
  if (!command) return;
  done();
  command.act(board);
}

/** Handles keys in the text of a cell. */
function writing(board: Board, press: string, done: () => void) {
  const id = board.ui.getActive();
  if (press === 'Escape') {
    done();
    board.ui.focus(id, 'command');
    if (id && board.store.getCell(id)?.type === 'markdown') board.ui.closeText(id);
    return board.focusBoard();
  }
  if (!['Shift+Enter', 'Mod+Enter', 'Ctrl+Enter', 'Alt+Enter'].includes(press) || !id) return;
  done();
  if (board.store.getCell(id)?.type === 'markdown') {
    board.ui.focus(id, 'command');
    board.ui.closeText(id);
    return board.focusBoard();
  }
  void board.store.run([id]);
}
