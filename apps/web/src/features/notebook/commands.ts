import * as act from './actions.ts';
import { normal, type Rebound, readRebound, writeRebound } from './keys.ts';

export type When = 'command' | 'edit' | 'both';

export interface Command {
  id: string;
  label: string;
  group: 'Running' | 'Navigation' | 'Cells' | 'Kernel' | 'View';
  keys: string[];
  when: When;
  run(acting: act.Acting): void;
}

const command = (
  group: Command['group'],
  id: string,
  label: string,
  keys: string[],
  run: (acting: act.Acting) => void,
  when: When = 'command',
): Command => ({ id, label, group, keys, when, run });

const atCursor = { get: (): number | null => null };
/** Lets the focused editor provide the position of its cursor. */
export const cursorOf = (get: () => number | null): void => {
  atCursor.get = get;
};

export const commands: Command[] = [
  command('Running', 'run-next', 'Run and go to the next cell', ['Shift+Enter'], act.runAndGo, 'both'),
  command(
    'Running',
    'run',
    'Run cell',
    ['Mod+Enter', 'Ctrl+Enter'],
    (acting) => {
      act.run(acting, acting.ui.getSelection());
      const active = acting.ui.getActive();
      if (active && acting.ui.getMode() === 'edit' && acting.store.getCell(active)?.type === 'markdown')
        acting.ui.focus(active);
    },
    'both',
  ),
  command('Running', 'run-insert', 'Run and insert a cell below', ['Alt+Enter'], act.runAndInsert, 'both'),
  command('Running', 'run-all', 'Run all cells', ['Mod+F9'], ({ store }) => void store.runAll(), 'both'),
  command('Running', 'run-above', 'Run all above', [], (acting) => act.runRange(acting, 'above')),
  command('Running', 'run-below', 'Run cell and all below', [], (acting) => act.runRange(acting, 'below')),
  command('Running', 'restart-run-all', 'Restart kernel and run all', [], ({ store }) => void store.runAll(true)),

  command('Kernel', 'interrupt', 'Interrupt', ['I I', 'Mod+Shift+.'], ({ store }) => void store.interrupt(), 'both'),
  command('Kernel', 'restart', 'Restart kernel', ['0 0'], ({ store }) => {
    void store.changeKernel((topic) => topic.send('restart', {}));
  }),
  command('Kernel', 'clear-all', 'Clear all outputs', [], ({ store }) => void store.clean(false)),

  command(
    'Cells',
    'assistant',
    'Write with AI',
    ['Mod+I'],
    ({ ui, store }) => {
      const id = ui.getActive();
      if (id && store.mode === 'edit') ui.showCellPart(id, ui.cellPartOf(id) ? null : 'assistant');
    },
    'both',
  ),

  command('Navigation', 'edit', 'Edit cell', ['Enter'], ({ ui }) => {
    const id = ui.getActive();
    if (id) ui.focus(id, 'edit');
  }),
  command(
    'Navigation',
    'leave',
    'Leave the editor',
    ['Escape', 'Ctrl+M'],
    ({ ui }) => ui.focus(ui.getActive(), 'command'),
    'edit',
  ),
  command('Navigation', 'next', 'Next cell', ['J', 'ArrowDown'], (acting) => act.go(acting, 1)),
  command('Navigation', 'previous', 'Previous cell', ['K', 'ArrowUp'], (acting) => act.go(acting, -1)),
  command('Navigation', 'extend-next', 'Extend selection down', ['Shift+J', 'Shift+ArrowDown'], (acting) =>
    act.go(acting, 1, true),
  ),
  command('Navigation', 'extend-previous', 'Extend selection up', ['Shift+K', 'Shift+ArrowUp'], (acting) =>
    act.go(acting, -1, true),
  ),
  command('Navigation', 'extend-first', 'Select all above', ['Shift+Home'], (acting) =>
    act.goToEdge(acting, 'first', true),
  ),
  command('Navigation', 'extend-last', 'Select all below', ['Shift+End'], (acting) =>
    act.goToEdge(acting, 'last', true),
  ),
  command('Navigation', 'select-all', 'Select all cells', ['Mod+A'], ({ ui }) => ui.selectAll()),

  command('Cells', 'insert-above', 'Insert cell above', ['A'], (acting) => act.insert(acting, 'above')),
  command('Cells', 'insert-below', 'Insert cell below', ['B'], (acting) => act.insert(acting, 'below')),
  command('Cells', 'heading-above', 'Insert heading above', ['Shift+A'], (acting) =>
    act.insert(acting, 'above', 'markdown', 'edit', { source: '# ' }),
  ),
  command('Cells', 'heading-below', 'Insert heading below', ['Shift+B'], (acting) =>
    act.insert(acting, 'below', 'markdown', 'edit', { source: '# ' }),
  ),
  command('Cells', 'delete', 'Delete', ['D D', 'Delete'], (acting) => act.remove(acting)),
  command('Cells', 'undo', 'Undo cell operation', ['Z'], (acting) => act.goBack(acting, 'undo')),
  command('Cells', 'redo', 'Redo cell operation', ['Shift+Z'], (acting) => act.goBack(acting, 'redo')),
  command('Cells', 'cut', 'Cut', ['X'], act.cut),
  command('Cells', 'copy', 'Copy', ['C'], (acting) => act.copy(acting)),
  command('Cells', 'paste', 'Paste below', ['V'], (acting) => act.paste(acting, 'below')),
  command('Cells', 'paste-above', 'Paste above', ['Shift+V'], (acting) => act.paste(acting, 'above')),
  command('Cells', 'to-code', 'Change to code', ['Y'], (acting) => act.setType(acting, 'code')),
  command('Cells', 'to-markdown', 'Change to Markdown', ['M'], (acting) => act.setType(acting, 'markdown')),
  command('Cells', 'to-raw', 'Change to raw', ['R'], (acting) => act.setType(acting, 'raw')),
  command('Cells', 'to-sql', 'Change to SQL', [], (acting) => act.setType(acting, 'sql')),
  command('Cells', 'to-input', 'Change to input', [], (acting) => act.setType(acting, 'input')),
  ...[1, 2, 3, 4, 5, 6].map((level) =>
    command('Cells', `heading-${level}`, `Heading ${level}`, [String(level)], (acting) =>
      act.setHeading(acting, level),
    ),
  ),
  command(
    'Cells',
    'move-up',
    'Move up',
    ['Ctrl+Shift+ArrowUp', 'Alt+Shift+ArrowUp'],
    (acting) => act.move(acting, -1),
    'command',
  ),
  command('Cells', 'move-down', 'Move down', ['Ctrl+Shift+ArrowDown', 'Alt+Shift+ArrowDown'], (acting) =>
    act.move(acting, 1),
  ),
  command('Cells', 'merge', 'Merge selected cells', ['Shift+M'], (acting) => {
    const ids = acting.ui.getSelection();
    if (ids.length > 1) act.merge(acting, ids);
    else act.mergeWith(acting, 1);
  }),
  command('Cells', 'merge-above', 'Merge with cell above', ['Ctrl+Backspace'], (acting) => act.mergeWith(acting, -1)),
  command('Cells', 'merge-below', 'Merge with cell below', ['Ctrl+Shift+M'], (acting) => act.mergeWith(acting, 1)),
  command(
    'Cells',
    'split',
    'Split at cursor',
    ['Ctrl+Shift+-'],
    (acting) => {
      const [id, at] = [acting.ui.getActive(), atCursor.get()];
      if (id && at !== null) act.split(acting, id, at);
    },
    'edit',
  ),

  command('View', 'fold', 'Collapse heading', ['ArrowLeft'], (acting) => act.foldHeading(acting, true)),
  command('View', 'unfold', 'Expand heading', ['ArrowRight'], (acting) => act.foldHeading(acting, false)),
  command('View', 'toggle-source', 'Collapse or expand source', ['Shift+C'], (acting) =>
    act.toggleCollapsed(acting, 'source'),
  ),
  command('View', 'toggle-output', 'Collapse or expand output', ['O'], (acting) =>
    act.toggleCollapsed(acting, 'outputs'),
  ),
  command('View', 'lines', 'Line numbers in this cell', ['L'], ({ ui }) => {
    for (const id of ui.getSelection()) ui.toggleNumbers(id);
  }),
  command('View', 'lines-all', 'Line numbers in all cells', ['Shift+L'], ({ ui }) => ui.toggleAllNumbers()),
  command('View', 'find', 'Find and replace', ['F', 'Mod+F', 'Mod+H'], ({ ui }) => ui.showPanel('find'), 'both'),
  command('View', 'outline', 'Table of contents', ['T'], ({ ui }) => ui.togglePanel('outline')),
  command('View', 'variables', 'Variables', ['Shift+T'], ({ ui }) => ui.togglePanel('variables')),
  command('View', 'comment', 'Comment on cell', ['Mod+Alt+C'], ({ ui }) => ui.togglePanel('comments')),
  command('View', 'bin', 'Deleted cells', [], ({ ui }) => ui.togglePanel('bin')),
  command('View', 'help', 'Keyboard shortcuts', ['H', '?', 'Mod+Shift+H'], ({ ui }) => ui.showHelp(true)),
  command(
    'View',
    'save',
    'Save version',
    ['Mod+S'],
    ({ store }) => void store.command((topic) => topic.send('save_version', {})),
    'both',
  ),
];

let rebound = readRebound();
export const keysOf = ({ id, keys }: Command): string[] => rebound[id] ?? keys;

/** Sets the keys of a command; null restores the default ones. */
export function rebind(id: string, keys: string[] | null): void {
  const { [id]: _, ...rest } = rebound;
  rebound = keys ? { ...rest, [id]: keys } : rest;
  writeRebound(rebound);
}
export const getRebound = (): Rebound => rebound;

/** Finds the command of a press; `waits` when it may be the first of two presses. */
export function match(press: string, before: string | null, mode: 'command' | 'edit'): Command | 'waits' | null {
  const open = commands.flatMap((each) => {
    if (each.when !== 'both' && each.when !== mode) return [];
    const bindings = keysOf(each).map((binding) => normal(binding));
    return bindings.flatMap((keys) => (mode === 'edit' && isText(keys) ? [] : { each, keys }));
  });
  const pair = before === null ? undefined : open.find(({ keys }) => keys === `${before} ${press}`);
  const found = pair ?? open.find(({ keys }) => keys === press);
  if (found) return found.each;
  return open.some(({ keys }) => keys.startsWith(`${press} `)) ? 'waits' : null;
}

/** Keys that type text in an editor: a letter, or two presses of which the first types. */
const isText = (keys: string): boolean => {
  const [first = '', second] = keys.split(' ');
  if (second !== undefined) return /^(Shift\+)?(.|Space|Enter|Tab|Backspace|Delete)$/.test(first);
  return /^(Shift\+)?(.|Space)$/.test(first);
};

/** Finds another command on the same keys, for the message in the sheet. */
export function clashes(id: string, binding: string): Command | undefined {
  const mine = commands.find((each) => each.id === id);
  const wanted = normal(binding);
  return commands.find(
    (each) =>
      each.id !== id &&
      (mine?.when === 'both' || each.when === 'both' || each.when === mine?.when) &&
      keysOf(each).some((binding) => {
        const keys = normal(binding);
        // A binding that begins with another one could never be completed.
        return keys === wanted || keys.startsWith(`${wanted} `) || wanted.startsWith(`${keys} `);
      }),
  );
}
