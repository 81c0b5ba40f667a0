import type { CellType, NewCell, Operation } from '@atoll/contract';
import { runs } from '@atoll/notebook';
import { copiedCells, copyCells } from './clipboard.ts';
import { collapsedPatch, type Fields, headingsOf, isCollapsed, newCell } from './model.ts';
import type { NotebookStore } from './store.ts';
import type { NotebookUi } from './ui-state.ts';

export interface Acting {
  store: NotebookStore;
  ui: NotebookUi;
}

const canEdit = ({ store }: Acting): boolean => store.mode === 'edit';
const neighbour = ({ store }: Acting, id: string | null, step: number): string | null => {
  const order = store.getOrder();
  if (id === null) return order[0] ?? null;
  return order[order.indexOf(id) + step] ?? null;
};

/** Puts cells after another one; null: at the beginning. */
export function insertAfter(
  acting: Acting,
  afterId: string | null,
  cells: NewCell[],
  mode: 'command' | 'edit' = 'command',
): void {
  if (!canEdit(acting) || cells.length === 0) return;
  let after = afterId;
  const operations = cells.map((cell): Operation => {
    const operation: Operation = { op: 'insert_cell', cell, after_id: after };
    after = cell.id;
    return operation;
  });
  const last = cells.at(-1);
  if (acting.store.edit(operations) && last) acting.ui.focus(last.id, mode);
}

export function insert(
  acting: Acting,
  place: 'above' | 'below',
  type: CellType = 'code',
  mode: 'command' | 'edit' = 'command',
  fields: Partial<NewCell> = {},
): void {
  const active = acting.ui.getActive();
  const after = place === 'below' ? (active ?? acting.store.getOrder().at(-1) ?? null) : neighbour(acting, active, -1);
  insertAfter(acting, active === null && place === 'above' ? null : after, [newCell(type, fields)], mode);
}

export function remove(acting: Acting, ids = acting.ui.getSelection()): void {
  if (!canEdit(acting) || ids.length === 0) return;
  const order = acting.store.getOrder();
  const last = Math.max(...ids.map((id) => order.indexOf(id)));
  const first = Math.min(...ids.map((id) => order.indexOf(id)));
  const next = order[last + 1] ?? order[first - 1] ?? null;
  if (acting.store.edit(ids.map((cell_id): Operation => ({ op: 'delete_cell', cell_id })))) acting.ui.focus(next);
}

export function move(acting: Acting, step: -1 | 1, ids = acting.ui.getSelection()): void {
  if (!canEdit(acting)) return;
  const order = acting.store.getOrder();
  const places = ids.map((id) => order.indexOf(id));
  const edge = step < 0 ? Math.min(...places) : Math.max(...places);
  const passed = order[edge + step];
  if (passed === undefined) return;
  moveAfter(acting, ids, step < 0 ? (order[edge - 2] ?? null) : passed);
}

export function moveAfter(acting: Acting, ids: string[], afterId: string | null): void {
  if (!canEdit(acting) || (afterId !== null && ids.includes(afterId))) return;
  let after = afterId;
  const operations = ids.map((cell_id): Operation => {
    const operation: Operation = { op: 'move_cell', cell_id, after_id: after };
    after = cell_id;
    return operation;
  });
  acting.store.edit(operations);
  const active = acting.ui.getActive();
  if (active) acting.ui.reveal(active);
}

export function copy(acting: Acting, ids = acting.ui.getSelection()): void {
  const cells = ids.flatMap((id) => acting.store.copyOf(id) ?? []);
  if (cells.length) copyCells(cells);
}

export function cut(acting: Acting): void {
  copy(acting);
  remove(acting);
}

export function paste(acting: Acting, place: 'above' | 'below'): void {
  const active = acting.ui.getActive();
  const after = place === 'below' ? active : neighbour(acting, active, -1);
  insertAfter(acting, after, copiedCells());
}

export function duplicate(acting: Acting, id: string): void {
  const cell = acting.store.copyOf(id);
  if (cell) insertAfter(acting, id, [cell]);
}

/** Undoes or redoes, and moves to the cells that come back. */
export function goBack(acting: Acting, way: 'undo' | 'redo'): void {
  const { store, ui } = acting;
  const before = new Set(store.getOrder());
  if (!store[way]()) return;
  const back = store.getOrder().find((id) => !before.has(id));
  if (back !== undefined) ui.focus(back);
}

export function setType(acting: Acting, type: CellType, ids = acting.ui.getSelection()): void {
  if (!canEdit(acting)) return;
  acting.store.edit(ids.map((cell_id): Operation => ({ op: 'set_cell_type', cell_id, type })));
  for (const id of ids) if (type === 'markdown') acting.ui.openText(id);
}

/** Turns the first line into a heading of this level. */
export function setHeading(acting: Acting, level: number, ids = acting.ui.getSelection()): void {
  if (!canEdit(acting)) return;
  const { store } = acting;
  const operations = ids.flatMap((cell_id): Operation[] => {
    if (store.getCell(cell_id)?.type !== 'markdown') return [];
    const text = store.sourceOf(cell_id).replace(/^\s*#{0,6}\s*/, '');
    return [{ op: 'update_cell_source', cell_id, source: `${'#'.repeat(level)} ${text}` }];
  });
  if (operations.length) store.edit(operations);
}

/** Splits the cell at the cursor: the text after it becomes a new cell. */
export function split(acting: Acting, id: string, at: number): void {
  const { store, ui } = acting;
  const cell = store.getCell(id);
  if (!canEdit(acting) || !cell) return;
  const source = store.sourceOf(id);
  // Both halves get all pictures, because every edit can change which half names a picture.
  const { metadata, attachments } = cell;
  const rest = newCell(cell.type, { source: source.slice(at).replace(/^\n/, ''), metadata, attachments });
  const done = store.edit([
    { op: 'update_cell_source', cell_id: id, source: source.slice(0, at).replace(/\n$/, '') },
    { op: 'insert_cell', cell: rest, after_id: id },
  ]);
  if (done) ui.focus(rest.id, 'edit', { cursor: 'start' });
}

export function merge(acting: Acting, ids: string[]): void {
  const { store, ui } = acting;
  const [first, ...rest] = ids;
  if (!canEdit(acting) || first === undefined || rest.length === 0) return;
  const { sources, attachments } = joinedTexts(
    ids.map((id) => ({ source: store.sourceOf(id), attachments: store.getCell(id)?.attachments ?? null })),
  );
  const source = sources.join(store.getCell(first)?.type === 'markdown' ? '\n\n' : '\n');
  const done = store.edit([
    { op: 'update_cell_source', cell_id: first, source },
    ...(attachments ? [{ op: 'update_cell_attachments' as const, cell_id: first, attachments }] : []),
    ...rest.map((cell_id): Operation => ({ op: 'delete_cell', cell_id })),
  ]);
  if (done) ui.focus(first, ui.getMode());
}

/** Joins texts with their pictures; a picture with the name of another one gets a new name. */
export function joinedTexts(cells: { source: string; attachments: Fields | null }[]): {
  sources: string[];
  attachments: Fields | null;
} {
  const all: Fields = {};
  const sources = cells.map(({ source, attachments }) => {
    let text = source;
    for (const [name, picture] of Object.entries(attachments ?? {})) {
      let free = name;
      for (let number = 2; free in all && JSON.stringify(all[free]) !== JSON.stringify(picture); number++)
        free = `${number}-${name}`;
      all[free] = picture;
      if (free === name) continue;
      for (const said of new Set([name, encodeURI(name), encodeURIComponent(name)]))
        text = text.replaceAll(`(attachment:${said})`, `(attachment:${encodeURIComponent(free)})`);
    }
    return text;
  });
  return { sources, attachments: Object.keys(all).length ? all : null };
}

export function mergeWith(acting: Acting, step: -1 | 1): void {
  const active = acting.ui.getActive();
  const other = neighbour(acting, active, step);
  if (active && other) merge(acting, step < 0 ? [other, active] : [active, other]);
}

export function toggleCollapsed(
  acting: Acting,
  part: 'source' | 'outputs',
  ids = acting.ui.getSelection(),
  isOn?: boolean,
): void {
  const { store } = acting;
  const first = ids[0] && store.getCell(ids[0]);
  if (!canEdit(acting) || !first) return;
  const wanted = isOn ?? !isCollapsed(first, part);
  const metadata = collapsedPatch(part, wanted);
  store.edit(ids.map((cell_id): Operation => ({ op: 'update_cell_metadata', cell_id, metadata })));
}

const foldedKey = 'jp-MarkdownHeadingCollapsed';

/** Folds the cells below a heading into it, with the metadata of JupyterLab. */
export function foldHeading(acting: Acting, isFolded: boolean): void {
  const id = acting.ui.getActive();
  const cell = id ? acting.store.getCell(id) : undefined;
  if (!canEdit(acting) || !cell || headingsOf(cell).length === 0) return;
  const metadata = { [foldedKey]: isFolded || null };
  acting.store.edit([{ op: 'update_cell_metadata', cell_id: cell.id, metadata }]);
}

/** The cells that are folded into headings above them, each with how many others its heading hides. */
export function foldedCells(store: NotebookStore): Set<string> {
  const hidden = new Set<string>();
  let level: number | null = null;
  for (const id of store.getOrder()) {
    const cell = store.getCell(id);
    const heading = cell && headingsOf(cell)[0]?.level;
    if (level !== null && heading !== undefined && heading <= level) level = null;
    if (level !== null) hidden.add(id);
    else if (heading !== undefined && cell?.metadata[foldedKey] === true) level = heading;
  }
  return hidden;
}

/** Runs cells with code, and shows text cells as rendered text. */
export function run(acting: Acting, ids: string[]): void {
  const { store, ui } = acting;
  for (const id of ids) if (store.getCell(id)?.type === 'markdown') ui.closeText(id);
  if (store.mode === 'view') return;
  void store.run(ids.filter((id) => runs(store.getCell(id)?.type ?? 'raw')));
}

export function runAndGo(acting: Acting): void {
  const { store, ui } = acting;
  const ids = ui.getSelection();
  const last = ids.at(-1);
  if (last === undefined) return;
  run(acting, ids);
  const next = neighbour(acting, last, 1);
  if (next !== null) ui.focus(next);
  else if (store.mode === 'edit') insertAfter(acting, last, [newCell('code')], 'edit');
  ui.followed = last;
}

export function runAndInsert(acting: Acting): void {
  const last = acting.ui.getSelection().at(-1);
  if (last === undefined) return;
  run(acting, acting.ui.getSelection());
  insertAfter(acting, last, [newCell('code')], 'edit');
}

export function runRange(acting: Acting, which: 'above' | 'below'): void {
  const active = acting.ui.getActive();
  const order = acting.store.getOrder();
  const at = active ? order.indexOf(active) : 0;
  run(acting, which === 'above' ? order.slice(0, at) : order.slice(at));
}

export function go(acting: Acting, step: -1 | 1, isExtending = false): void {
  const active = acting.ui.getActive();
  const hidden = foldedCells(acting.store);
  let next = neighbour(acting, active, step);
  while (next !== null && hidden.has(next)) next = neighbour(acting, next, step);
  if (next !== null) acting.ui.focus(next, 'command', { isExtending });
}

export function goToEdge(acting: Acting, edge: 'first' | 'last', isExtending: boolean): void {
  const id = acting.store.getOrder().at(edge === 'first' ? 0 : -1);
  if (id) acting.ui.focus(id, 'command', { isExtending });
}
