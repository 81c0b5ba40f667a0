import { type Side, sides } from '../../platform/features/panel-host.ts';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import { sideOfPanel } from './panels/panel-sides.ts';
import { Signals } from './signals.ts';
import type { NotebookStore } from './store.ts';

export type Mode = 'command' | 'edit';
/** A place on a canvas beside its cells that can have comments. */
export type CanvasPlace = { itemId: string } | { spot: { x: number; y: number } };
export const placeKey = (place: CanvasPlace): string =>
  'itemId' in place ? place.itemId : `${place.spot.x} ${place.spot.y}`;

export type Cursor = 'start' | 'end' | { anchor: number; head: number };

interface FocusOptions {
  cursor?: Cursor;
  isExtending?: boolean;
  isPressed?: boolean;
}

const linesKey = 'notebook_line_numbers';

/** The state of this window in a notebook: selected cells, the mode, and the open panels. */
export class NotebookUi extends Signals {
  private readonly store: NotebookStore;
  private activeId: string | null = null;
  private anchorId: string | null = null;
  private mode: Mode = 'command';
  private selected = new Set<string>();
  private readonly openTexts = new Set<string>();
  private pointedId: string | null = null;
  private readonly near = new Set<string>();
  /** Cells with a box of their own in the page. */
  private readonly known = new Set<string>();
  /** The last heights of cells that were near once. */
  private readonly heights = new Map<string, number>();
  private order: string[];
  private windowTurn = 0;
  /** The ids of the open panels, at most one for each side. */
  private readonly panels: Record<Side, string | null> = { left: null, right: null };
  private readonly numbered = new Set<string>();
  private areAllNumbered = readLocal(linesKey) === 'on';
  private isHelpShown = false;
  private embedding: { cellId: string | null } | null = null;
  private composing: string | null = null;
  /** The place of a canvas that a comment is about, when that is no cell. */
  private subject: CanvasPlace | null = null;
  /** A cell with an open part of another feature. */
  private cellPart: { cellId: string; partId: string } | null = null;
  private isPastShown = false;
  private found: { id: string; from: number; to: number } | null = null;
  /** A pressed cell is in sight already: scrolling would move it from under the pointer. */
  isPressed = false;
  /** The cell that was run last, while its outputs grow: the next one is kept in sight below it. */
  followed: string | null = null;
  /** The position of the cursor in the editor that opens next. */
  cursor: Cursor | null = null;
  /** The element of the page that scrolls. */
  scroller: HTMLElement | null = null;
  /** Brings a cell into sight in a view that does not scroll. */
  revealer: ((id: string) => void) | null = null;

  constructor(store: NotebookStore) {
    super();
    this.store = store;
    this.order = store.getOrder();
    store.subscribe('order', () => this.takeOrder());
    // A person without the right to write any more has no cursor in the text.
    store.subscribe('mode', () => store.mode !== 'edit' && this.mode === 'edit' && this.focus(this.activeId));
  }

  /** Moves people from a cell that was undone or deleted to the next one, so that their keys keep working. */
  private takeOrder(): void {
    const before = this.order;
    this.order = this.store.getOrder();
    if (this.activeId === null || this.store.getCell(this.activeId)) return;
    const at = before.indexOf(this.activeId);
    const isHere = (id: string) => this.store.getCell(id) !== undefined;
    const next = before.slice(at + 1).find(isHere) ?? before.slice(0, at).findLast(isHere) ?? this.order[0] ?? null;
    this.focus(next);
  }

  getActive = (): string | null => this.activeId;
  getMode = (): Mode => this.mode;
  getPanel = (side: Side): string | null => this.panels[side];
  getEmbedding = () => this.embedding;
  getHelp = (): boolean => this.isHelpShown;
  getPast = (): boolean => this.isPastShown;
  getFound = () => this.found;
  isKnown = (id: string): boolean => this.known.has(id);
  getWindow = (): number => this.windowTurn;
  heightOf = (id: string): number | undefined => this.heights.get(id);
  isNear = (id: string): boolean => this.near.has(id);
  isPointed = (id: string): boolean => this.pointedId === id;
  hasNumbers = (id: string): boolean => this.areAllNumbered !== this.numbered.has(id);
  isTextOpen = (id: string): boolean => this.openTexts.has(id);
  /** The whole state of a cell as one string, so that a cell is drawn only when its own state changes. */
  stateOf = (id: string): string => {
    const isActive = id === this.activeId;
    const state = isActive ? this.mode : this.selected.has(id) ? 'selected' : '';
    return `${state}${this.openTexts.has(id) ? ' open' : ''}${this.hasNumbers(id) ? ' numbered' : ''}`;
  };

  /** The chosen cells, in the notebook's order. */
  getSelection(): string[] {
    const ids = this.store.getOrder().filter((id) => this.selected.has(id));
    return ids.length ? ids : this.activeId ? [this.activeId] : [];
  }

  focus(id: string | null, mode: Mode = 'command', options: FocusOptions = {}): void {
    const before = new Set([...this.selected, this.activeId, id].filter((each) => each !== null));
    const wasMode = this.mode;
    this.activeId = id;
    this.mode = mode;
    this.cursor = options.cursor ?? null;
    this.isPressed = options.isPressed === true;
    this.followed = null;
    if (!options.isExtending) this.anchorId = id;
    this.selected = new Set(this.range(this.anchorId, id));
    if (id !== null && mode === 'edit' && this.store.getCell(id)?.type === 'markdown') this.openTexts.add(id);
    if (id !== null) this.bringNear(id);
    for (const each of new Set([...before, ...this.selected])) this.emit(`ui:${each}`);
    this.emit('active');
    if (wasMode !== mode) this.emit('mode');
  }

  /** Selects all cells; the active cell stays active and in sight. */
  selectAll(): void {
    const order = this.store.getOrder();
    this.selected = new Set(order);
    this.anchorId = order[0] ?? null;
    getSelection()?.removeAllRanges();
    for (const id of order) this.emit(`ui:${id}`);
    this.emit('active');
  }

  private range(from: string | null, to: string | null): string[] {
    if (to === null) return [];
    const order = this.store.getOrder();
    const [start, end] = [order.indexOf(from ?? to), order.indexOf(to)];
    if (start < 0 || end < 0) return [to];
    return order.slice(Math.min(start, end), Math.max(start, end) + 1);
  }

  /** Closes the source of a text cell. */
  closeText(id: string): void {
    if (this.openTexts.delete(id)) this.emit(`ui:${id}`);
  }

  openText(id: string): void {
    this.openTexts.add(id);
    this.emit(`ui:${id}`);
  }

  bringNear(id: string): void {
    if (this.near.has(id)) return;
    this.near.add(id);
    this.know([id]);
    this.emit(`near:${id}`);
  }

  /** Turns cells into boxes of the same height again, because drawn cells slow down every key. */
  leave(heights: Map<string, number>): void {
    for (const [id, height] of heights) {
      if (id === this.activeId || this.selected.has(id)) continue;
      this.heights.set(id, height);
      this.near.delete(id);
      this.known.delete(id);
      this.emit(`near:${id}`);
    }
    this.windowTurn++;
    this.emit('window');
  }

  /** Sets the cell under the pointer; it stays set until the pointer enters another one. */
  point(id: string): void {
    const before = this.pointedId;
    if (before === id) return;
    this.pointedId = id;
    for (const each of [before, id]) if (each !== null) this.emit(`pointed:${each}`);
  }

  know(ids: string[]): void {
    const fresh = ids.filter((id) => !this.known.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.known.add(id);
    this.windowTurn++;
    this.emit('window');
  }

  togglePanel(panel: string): void {
    const side = sideOfPanel(panel);
    if (this.panels[side] === panel) this.closePanel(side);
    else this.showPanel(panel);
  }

  showPanel(panel: string): void {
    this.panels[sideOfPanel(panel)] = panel;
    this.emit('panel');
  }

  closePanel(side: Side): void {
    this.panels[side] = null;
    this.emit('panel');
    // The focused element is gone, and command keys would be lost with it.
    this.focusActive();
  }

  /** Goes to a cell; on a phone, panels lie over the cells and are closed for it. */
  goTo(id: string, block: ScrollLogicalPosition): void {
    if (matchMedia('(max-width: 48em)').matches) for (const side of sides) this.closePanel(side);
    this.focus(id);
    this.reveal(id, block);
  }

  /** Opens the comments of a cell and puts the cursor where the comment is written. */
  commentOn(id: string): void {
    // Keys that are typed before the field is there must not run commands of the cells.
    (document.activeElement as HTMLElement | null)?.blur();
    this.focus(id);
    this.composing = id;
    this.showPanel('comments');
    this.emit('composing');
  }

  getSubject = (): CanvasPlace | null => this.subject;

  /** The same for items beside the cells, and for a spot on the board. */
  commentOnPlace(place: CanvasPlace): void {
    (document.activeElement as HTMLElement | null)?.blur();
    this.focus(null);
    this.subject = place;
    this.composing = placeKey(place);
    this.showPanel('comments');
    this.emit('subject');
    this.emit('composing');
  }

  /** Returns true once: the field takes the focus then, and may lose it again. */
  takeComposing(id: string): boolean {
    const isWanted = this.composing === id;
    if (isWanted) this.composing = null;
    return isWanted;
  }

  cellPartOf = (id: string): string | null => (this.cellPart?.cellId === id ? this.cellPart.partId : null);

  showCellPart(cellId: string, partId: string | null): void {
    const before = this.cellPart?.cellId;
    if (partId) this.focus(cellId);
    this.cellPart = partId ? { cellId, partId } : null;
    for (const id of new Set([before, cellId])) if (id) this.emit(`part:${id}`);
    if (!partId) this.focusActive();
  }

  /** Focuses the active cell after a menu or dialog, because keys do nothing on the page itself. */
  focusActive = (): void => {
    requestAnimationFrame(() => {
      if (this.activeId === null || this.mode === 'edit' || this.composing !== null) return;
      // The action chosen in the menu may have moved the focus to a field.
      if (document.activeElement?.matches('input, textarea, select, [contenteditable]')) return;
      this.scroller
        ?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(this.activeId)}"]`)
        ?.focus({ preventScroll: true });
    });
  };

  /** Opens the dialog to embed a cell, or the whole notebook. */
  showEmbed(what: { cellId: string | null } | null): void {
    this.embedding = what;
    if (!what) this.focusActive();
    this.emit('embed');
  }

  showHelp(isShown: boolean): void {
    this.isHelpShown = isShown;
    if (!isShown) this.focusActive();
    this.emit('help');
  }

  /** Shows the outputs of the last successful run instead of the current ones. */
  showPast(isShown: boolean): void {
    this.isPastShown = isShown;
    this.emit('past');
  }

  showFound(found: { id: string; from: number; to: number } | null): void {
    const before = this.found?.id;
    this.found = found;
    for (const id of new Set([before, found?.id])) if (id) this.emit(`found:${id}`);
  }

  toggleNumbers(id: string): void {
    if (!this.numbered.delete(id)) this.numbered.add(id);
    this.emit(`ui:${id}`);
  }

  toggleAllNumbers(): void {
    this.areAllNumbered = !this.areAllNumbered;
    this.numbered.clear();
    writeLocal(linesKey, this.areAllNumbered ? 'on' : null);
    for (const id of this.near) this.emit(`ui:${id}`);
  }

  /** Draws a cell and scrolls to it. */
  reveal(id: string, block: ScrollLogicalPosition = 'nearest') {
    if (this.revealer) return this.revealer(id);
    this.bringNear(id);
    requestAnimationFrame(() => {
      const slot = this.scroller?.querySelector(`[data-slot="${CSS.escape(id)}"]`);
      slot?.scrollIntoView({ block, behavior: 'instant' });
    });
  }
}
