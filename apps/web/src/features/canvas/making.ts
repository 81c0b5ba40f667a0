import { type Box, boundsOf, type Point } from '@atoll/notebook';
import { boxAt, insertCell, insertItem } from './actions.ts';
import type { Board } from './board.ts';
import { between, simplified } from './geometry.ts';
import type { Tool } from './tools.ts';

/** One press of a pointer, until its release. */
export interface Gesture {
  move(event: PointerEvent): void;
  end(event: PointerEvent, isCancelled: boolean): void;
}

/** Tools that put a thing on the board with a press. */
export type Makes = Exclude<Tool, 'select' | 'hand' | 'arrow' | 'draw' | 'comment'>;

export const thingAt = (target: Element): string | null =>
  target.closest<HTMLElement>('[data-thing]')?.dataset.thing ?? null;

export function making(board: Board, event: PointerEvent, tool: Makes): Gesture {
  event.preventDefault();
  const start = board.at({ x: event.clientX, y: event.clientY });
  let drawn: Box | null = null;
  return {
    move: (at) => {
      drawn = between(start, board.at({ x: at.clientX, y: at.clientY }));
      board.setMarquee(drawn);
    },
    end: (_, isCancelled) => {
      board.setMarquee(null);
      if (!isCancelled) make(board, tool, start, drawn);
    },
  };
}

export function drawing(board: Board, event: PointerEvent): Gesture {
  event.preventDefault();
  const points = [board.at({ x: event.clientX, y: event.clientY })];
  board.setStroke(points);
  return {
    move: (at) => {
      const all = at.getCoalescedEvents?.() ?? [];
      for (const { clientX, clientY } of all.length ? all : [at]) points.push(board.at({ x: clientX, y: clientY }));
      board.setStroke([...points]);
    },
    end: (_, isCancelled) => {
      board.setStroke(null);
      const kept = simplified(points, 0.8 / board.getCamera().zoom).slice(0, 5_000);
      const box = boundsOf(kept.map(({ x, y }) => ({ x, y, w: 0, h: 0 })));
      if (isCancelled || !box || points.length < 2) return;
      const extent = { w: Math.max(16, Math.ceil(box.w)), h: Math.max(16, Math.ceil(box.h)) };
      const near = (value: number) => Math.round(value * 10) / 10;
      insertItem(board, 'drawing', {
        x: near(box.x),
        y: near(box.y),
        ...extent,
        extent,
        colour: board.getInk(),
        points: kept.flatMap(({ x, y }) => [near(x - box.x), near(y - box.y)]),
      });
      // The tool stays for the next line.
      board.select([]);
    },
  };
}

export function connecting(board: Board, event: PointerEvent, on: string | null): Gesture {
  event.preventDefault();
  const point = board.at({ x: event.clientX, y: event.clientY });
  const from = on && board.getThing(on)?.kind !== 'frame' ? { on, ...point } : { on: null, ...point };
  return {
    move: (at) => board.setWire({ from, to: endAt(board, at, from.on) }),
    end: (at, isCancelled) => {
      const wire = board.getWire();
      board.setWire(null);
      board.use('select');
      if (isCancelled || !wire) return;
      const to = endAt(board, at, from.on);
      if (Math.hypot(to.x - from.x, to.y - from.y) * board.getCamera().zoom < 12) return;
      insertItem(board, 'arrow', {
        from: { x: Math.round(from.x), y: Math.round(from.y), ...(from.on ? { on: from.on } : {}) },
        to: { x: to.x, y: to.y, ...(to.on ? { on: to.on } : {}) },
      });
    },
  };
}

export function movingEnd(board: Board, event: PointerEvent, which: 'from' | 'to'): Gesture | null {
  event.preventDefault();
  const [thing] = board.selected();
  if (thing?.kind !== 'arrow') return null;
  const other = which === 'from' ? thing.to : thing.from;
  return {
    move: (at) => {
      const end = endAt(board, at, other.on);
      board.setWire(which === 'from' ? { from: end, to: other } : { from: other, to: end });
    },
    end: (at, isCancelled) => {
      const isMoved = board.getWire() !== null;
      board.setWire(null);
      if (isCancelled || !isMoved) return;
      const { on, x, y } = endAt(board, at, other.on);
      board.edit([{ op: 'update_item', item_id: thing.id, fields: { [which]: { on, x, y } } }]);
    },
  };
}

function endAt(board: Board, at: PointerEvent, except: string | null): { on: string | null } & Point {
  const point = board.at({ x: at.clientX, y: at.clientY });
  const under = document.elementsFromPoint(at.clientX, at.clientY).map((each) => thingAt(each));
  const on = under.find(
    (id) => id && id !== except && !['arrow', 'frame'].includes(board.getThing(id)?.kind ?? 'arrow'),
  );
  return { on: on ?? null, x: Math.round(point.x), y: Math.round(point.y) };
}

/** Puts the thing of a tool on the board, and goes back to selecting. */
export function make(board: Board, tool: Makes, at: Point, drawn: Box | null = null): void {
  board.use('select');
  switch (tool) {
    case 'code':
    case 'markdown':
    case 'sql':
    case 'input': {
      const size = boxAt('cell', at, drawn);
      const id = insertCell(board, tool, tool === 'input' && !drawn ? { ...size, w: 360, h: 132 } : size);
      if (tool !== 'input') board.ui.focus(id, 'edit');
      return;
    }
    case 'frame': {
      const frames = board.frames();
      const order = Math.max(0, ...frames.map(({ order: each }) => each)) + 1;
      insertItem(board, 'frame', { ...boxAt('frame', at, drawn), text: `Frame ${frames.length + 1}`, order });
      return;
    }
    case 'sticky':
      insertItem(board, 'sticky', { ...boxAt('sticky', at, drawn), colour: 'yellow', text: '' }, true);
      return;
    case 'shape':
      insertItem(board, 'shape', { ...boxAt('shape', at, drawn), shape: board.getShape(), colour: 'blue', text: '' });
      return;
    default:
      insertItem(board, 'text', { ...boxAt('text', at, drawn), text: '', size: 'm' }, true);
  }
}
