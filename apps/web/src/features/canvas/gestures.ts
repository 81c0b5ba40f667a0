import { type Box, boundsOf, type Point } from '@atoll/notebook';
import { isControl } from '../notebook/cells/cell.tsx';
import { carried, commentOn, drop, free } from './actions.ts';
import type { Board } from './board.ts';
import { between, contains, type Handle, overlaps, resized, scaledInto, snapped } from './geometry.ts';
import { connecting, drawing, type Gesture, making, movingEnd, thingAt } from './making.ts';

const slack = 4;
const snapReach = 6;

/** Handles pointers on a board: pan, pinch, select, move, resize, draw. */
export class Gestures {
  private readonly board: Board;
  private readonly element: HTMLElement;
  private readonly pointers = new Map<number, Point>();
  private gesture: Gesture | null = null;
  private pinch: { distance: number; centre: Point; zoom: number } | null = null;
  isSpaceHeld = false;

  constructor(board: Board, element: HTMLElement) {
    this.board = board;
    this.element = element;
  }

  down = (event: PointerEvent) => {
    const target = event.target as Element;
    if (target.closest('[data-no-board]')) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 2) return this.beginPinch();
    if (this.pointers.size > 2) return;
    const gesture = this.begin(event, target);
    if (!gesture) return;
    this.gesture = gesture;
  };

  move = (event: PointerEvent) => {
    const at = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== 'touch') this.board.point(this.board.at(at));
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, at);
    if (this.pinch) return this.movePinch();
    this.gesture?.move(event);
  };

  up = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pinch) {
      if (this.pointers.size < 2) this.pinch = null;
      return;
    }
    const { gesture } = this;
    this.gesture = null;
    gesture?.end(event, event.type === 'pointercancel');
  };

  private beginPinch(): void {
    this.gesture?.end(new PointerEvent('pointercancel'), true);
    this.gesture = null;
    const [one, other] = [...this.pointers.values()];
    if (!one || !other) return;
    this.pinch = { ...spanOf(one, other), zoom: this.board.getCamera().zoom };
  }

  private movePinch(): void {
    const [one, other] = [...this.pointers.values()];
    if (!this.pinch || !one || !other) return;
    const { distance, centre } = spanOf(one, other);
    this.board.pan(centre.x - this.pinch.centre.x, centre.y - this.pinch.centre.y);
    this.pinch.centre = centre;
    this.board.zoomAt(centre, (this.pinch.zoom * distance) / Math.max(1, this.pinch.distance));
  }

  private begin(event: PointerEvent, target: Element): Gesture | null {
    const { board } = this;
    const tool = board.getTool();
    if (event.button === 1 || this.isSpaceHeld || tool === 'hand') return this.panning(event);
    if (event.button !== 0) return null;
    const handle = target.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    if (handle) return this.resizing(event, handle as Handle);
    const end = target.closest<HTMLElement>('[data-arrow-end]')?.dataset.arrowEnd;
    if (end) return this.captured(event, movingEnd(board, event, end as 'from' | 'to'));
    const from = target.closest<HTMLElement>('[data-connect]')?.dataset.connect;
    if (from) return this.captured(event, connecting(board, event, from));
    if (tool === 'arrow') return this.captured(event, connecting(board, event, thingAt(target)));
    if (tool === 'draw') return this.captured(event, drawing(board, event));
    if (tool === 'comment') return this.commenting(event, thingAt(target));
    if (tool !== 'select') return this.captured(event, making(board, event, tool));
    const id = thingAt(target);
    if (id === null) {
      board.focusBoard();
      return event.pointerType === 'touch' ? this.panning(event, true) : this.marking(event);
    }
    if (board.getEditing() === id || isControl(target)) {
      if (!board.isSelected(id)) board.select([id]);
      return null;
    }
    return this.choosing(event, id, target);
  }

  private capture(event: PointerEvent): void {
    this.element.setPointerCapture(event.pointerId);
  }

  private captured<Begun extends Gesture | null>(event: PointerEvent, gesture: Begun): Begun {
    this.capture(event);
    return gesture;
  }

  private panning(event: PointerEvent, isDeselecting = false): Gesture {
    event.preventDefault();
    this.capture(event);
    let last = { x: event.clientX, y: event.clientY };
    const first = last;
    this.element.dataset.panning = '';
    return {
      move: ({ clientX, clientY }) => {
        this.board.pan(clientX - last.x, clientY - last.y);
        last = { x: clientX, y: clientY };
      },
      end: ({ clientX, clientY }) => {
        delete this.element.dataset.panning;
        if (isDeselecting && Math.hypot(clientX - first.x, clientY - first.y) < slack) this.board.select([]);
      },
    };
  }

  private marking(event: PointerEvent): Gesture {
    event.preventDefault();
    const { board } = this;
    const start = board.at({ x: event.clientX, y: event.clientY });
    const kept = event.shiftKey ? board.getSelection() : [];
    let isMarking = false;
    return {
      move: (at) => {
        const box = between(start, board.at({ x: at.clientX, y: at.clientY }));
        if (!isMarking && Math.max(box.w, box.h) * board.getCamera().zoom < slack) return;
        if (!isMarking) this.capture(event);
        isMarking = true;
        board.setMarquee(box);
        const found = board.all().filter(({ id, kind, isLocked }) => {
          const own = board.boxOf(id);
          return own && !isLocked && (kind === 'frame' ? contains(box, own) : overlaps(box, own));
        });
        board.select([...kept, ...found.flatMap(({ id }) => board.withGroup(id))]);
      },
      end: () => {
        board.setMarquee(null);
        if (!isMarking && !event.shiftKey) board.select([]);
      },
    };
  }

  /** A press selects; a drag moves. */
  private choosing(event: PointerEvent, id: string, target: Element): Gesture | null {
    const { board } = this;
    const wasSelected = board.isSelected(id);
    const own = board.withGroup(id);
    if (event.shiftKey) {
      event.preventDefault();
      const chosen = new Set(board.getSelection());
      for (const each of own)
        if (!wasSelected) chosen.add(each);
        else chosen.delete(each);
      board.select(chosen);
    } else if (!wasSelected) board.select(own);
    // A selected cell handles its own pointer events: text can be selected, tables scrolled.
    const isInside = board.getThing(id)?.kind === 'cell' && !target.closest('[data-grip]');
    if (wasSelected && isInside && !event.shiftKey) {
      // A press on one of several selected things selects only this one.
      return { move: () => {}, end: () => board.getSelection().length > own.length && board.select(own) };
    }
    const onText = target.closest('figure, .cm-editor') !== null;
    if (!onText) {
      event.preventDefault();
      board.focusBoard();
    }
    if (!board.canEdit()) return null;
    return this.moving(event, () => {
      if (wasSelected && !event.shiftKey && board.getSelection().length > own.length) board.select(own);
    });
  }

  private moving(event: PointerEvent, onClick: () => void): Gesture {
    const { board } = this;
    const start = board.at({ x: event.clientX, y: event.clientY });
    let boxes: (Box & { id: string })[] | null = null;
    let around: Box[] = [];
    return {
      move: (at) => {
        const { zoom } = board.getCamera();
        const here = board.at({ x: at.clientX, y: at.clientY });
        let [dx, dy] = [here.x - start.x, here.y - start.y];
        if (!boxes) {
          if (Math.hypot(dx, dy) * zoom < slack) return;
          this.capture(event);
          getSelection()?.removeAllRanges();
          boxes = board.boxesOf(
            carried(
              board,
              free(board).map(({ id }) => id),
            ),
          );
          const moved = new Set(boxes.map(({ id }) => id));
          const view = board.getView();
          around = board
            .all()
            .filter(({ id, kind, ...box }) => !moved.has(id) && kind !== 'arrow' && overlaps(view, box));
        }
        if (at.shiftKey) [dx, dy] = Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy];
        const all = boundsOf(boxes);
        if (!all) return;
        const free_ = { ...all, x: all.x + dx, y: all.y + dy };
        const snap =
          at.altKey || at.ctrlKey || at.metaKey
            ? { dx: 0, dy: 0, guides: [] }
            : snapped(free_, around, snapReach / zoom);
        board.move(
          boxes.map((box) => ({ ...box, x: box.x + dx + snap.dx, y: box.y + dy + snap.dy })),
          snap.guides,
        );
      },
      end: (_, isCancelled) => {
        if (!boxes) return isCancelled ? undefined : onClick();
        if (isCancelled) return board.stopMoving();
        drop(board, board.boxesOf(boxes.map(({ id }) => id)));
      },
    };
  }

  private resizing(event: PointerEvent, handle: Handle): Gesture {
    event.preventDefault();
    this.capture(event);
    const { board } = this;
    const start = board.at({ x: event.clientX, y: event.clientY });
    const ids = free(board).flatMap(({ id, kind }) => (kind === 'arrow' ? [] : id));
    const boxes = board.boxesOf(ids);
    const from = boundsOf(boxes);
    const kinds = new Set(board.selected().map(({ kind }) => kind));
    const least = boxes.length > 1 ? 24 : kinds.has('cell') ? 80 : 24;
    let isMoved = false;
    return {
      move: (at) => {
        if (!from) return;
        const here = board.at({ x: at.clientX, y: at.clientY });
        isMoved = true;
        const isProportional = at.shiftKey || kinds.has('drawing');
        const to = resized(from, handle, here.x - start.x, here.y - start.y, least, isProportional);
        board.move(scaledInto(boxes, from, to));
      },
      end: (_, isCancelled) => {
        if (isCancelled || !isMoved) return board.stopMoving();
        drop(board, board.boxesOf(ids));
      },
    };
  }

  private commenting(event: PointerEvent, id: string | null): null {
    event.preventDefault();
    const { board } = this;
    const { x, y } = board.at({ x: event.clientX, y: event.clientY });
    board.use('select');
    if (id === null) board.ui.commentOnPlace({ spot: { x: Math.round(x), y: Math.round(y) } });
    else commentOn(board, id);
    return null;
  }
}

const spanOf = (one: Point, other: Point) => ({
  distance: Math.hypot(one.x - other.x, one.y - other.y),
  centre: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
});
