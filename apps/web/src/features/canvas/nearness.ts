import type { Box, Thing } from '@atoll/notebook';
import { flushSync } from 'react-dom';
import { type Camera, grown, lowZoom, overlaps } from './geometry.ts';

/**
 * Milliseconds of a frame for adding and removing things. A frame with such changes takes longer anyway, because the page
 * has many small parts.
 */
const motionMs = 8;
const restMs = 12;
/** So many are drawn in a frame regardless of their time: on a slow machine one by one would take too many frames. */
const leastInFrame = 4;
/** Boxes added to the page at once; each time React compares all that are there. */
const sliceSize = 50;
/** So many things of the first view are drawn without a noticeable wait. */
const atOnce = 100;
/** The board rests after so long without a step. */
export const restAfterMs = 150;
/** Some browsers lack `requestIdleCallback`. */
const whenIdle = (run: () => void): unknown =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run, { timeout: 500 }) : setTimeout(run, 50);

/** The part of a board that is needed here. */
interface Looked {
  isOpen(): boolean;
  getView(): Box;
  getCamera(): Camera;
  getIds(): string[];
  getThing(id: string): Thing | undefined;
  boxOf(id: string): Box | undefined;
  isSelected(id: string): boolean;
  shownFrame(): Box | undefined;
  emit(key: string): void;
}

/** Decides which things of a board are drawn: those near the view, a few in each frame. */
export class Nearness {
  private readonly board: Looked;
  private readonly near = new Map<string, 'near' | 'low'>();
  private due = new Set<string>();
  /** Things in the page: first those in view, the rest when idle, so that a large board can be used at once. */
  private readonly mounted = new Set<string>();
  private drawing: 'soon' | 'when_idle' | null = null;
  /** The number of the newest scheduled turn: an urgent one replaces one that waits for idle time. */
  private turn = 0;
  private motion: 'pan' | 'zoom' | null = null;
  private zoomedAt = Number.NEGATIVE_INFINITY;
  private hasRested = false;

  constructor(board: Looked) {
    this.board = board;
  }

  /** Whether a thing is drawn, and whether a picture is enough. */
  of = (id: string): 'near' | 'low' | 'far' => this.near.get(id) ?? 'far';

  isMounted = (id: string): boolean => this.mounted.has(id);
  countMounted = (): number => this.mounted.size;

  move(motion: 'pan' | 'zoom'): void {
    const now = performance.now();
    if (motion === 'zoom') this.zoomedAt = now;
    // A pinch pans between its steps.
    this.motion = now - this.zoomedAt < restAfterMs ? 'zoom' : 'pan';
    // A zoom neither adds nor removes things.
    if (this.motion === 'pan' || !this.hasRested) this.look();
  }

  rest(): void {
    this.motion = null;
    this.hasRested = true;
    this.look();
  }

  /** Finds the things near enough to be drawn; those drawn once stay in the page, hidden. */
  look(): void {
    if (!this.board.isOpen()) return;
    const view = this.board.getView();
    const seen = this.seenIn(view);
    const inView: string[] = [];
    const around: string[] = [];
    for (const id of this.board.getIds()) {
      if (this.nearnessIn(seen, id) === this.near.get(id)) continue;
      if (this.isIn(view, id)) inView.push(id);
      else around.push(id);
    }
    this.due = new Set([...inView, ...around]);
    if (this.near.size === 0) this.drawNow(inView.slice(0, atOnce));
    this.drawSoon();
  }

  /** A little more than the view, for things that are about to come into it. */
  private seenIn = (view: Box): Box => grown(view, Math.max(view.w, view.h) * 0.25);

  private isIn(view: Box, id: string): boolean {
    const box = this.board.boxOf(id);
    return box !== undefined && overlaps(view, box);
  }

  private nearnessIn(seen: Box, id: string): 'near' | 'low' | undefined {
    const before = this.near.get(id);
    const isChosen = this.board.isSelected(id);
    if (!isChosen && !this.isIn(seen, id)) return this.motion ? before : undefined;
    // Things stay as they are in motion. New ones begin as pictures while panning; a zoom would add too many at once.
    if (this.motion && this.hasRested && !isChosen) return before ?? (this.motion === 'zoom' ? undefined : 'low');
    if (this.board.getCamera().zoom >= lowZoom) return 'near';
    // A slide is shown in full, however small the screen is.
    const [frame, box] = [this.board.shownFrame(), this.board.boxOf(id)];
    return frame && box && overlaps(frame, box) ? 'near' : 'low';
  }

  /** Draws things that were made or selected here before the next key is pressed. */
  drawNow(ids: Iterable<string>): void {
    if (!this.board.isOpen()) return;
    const before = this.mounted.size;
    for (const id of ids) {
      this.mounted.add(id);
      this.draw(id);
    }
    if (this.mounted.size !== before) this.board.emit('mounted');
  }

  private drawSoon(): void {
    const [next] = this.due;
    if (next === undefined && (this.motion !== null || this.unmounted().length === 0)) return;
    // On opening, things outside of the view wait until the browser is idle, so that the first action of the person is
    // fast.
    const isMoving = this.motion !== null && this.hasRested;
    const isUrgent = next !== undefined && (isMoving || this.isIn(this.board.getView(), next));
    if (this.drawing === 'soon' || (this.drawing === 'when_idle' && !isUrgent)) return;
    this.drawing = isUrgent ? 'soon' : 'when_idle';
    const schedule = isUrgent ? requestAnimationFrame : whenIdle;
    const turn = ++this.turn;
    schedule(() => {
      if (turn !== this.turn) return;
      this.drawing = null;
      if (this.due.size > 0) this.drawSome();
      else this.mount(this.unmounted());
      this.drawSoon();
    });
  }

  private drawSome(): void {
    const until = performance.now() + (this.motion ? motionMs : restMs);
    const [next] = this.due;
    if (next !== undefined && !this.mounted.has(next)) this.mount([...this.due]);
    let drawn = 0;
    for (const id of this.due) {
      if (!this.mounted.has(id)) break;
      // A thousand things that come into view at once must not stop a movement: each is drawn before the clock is read.
      flushSync(() => this.draw(id));
      if (++drawn >= leastInFrame && performance.now() >= until) break;
    }
  }

  private mount(ids: string[]): void {
    for (const id of ids.filter((each) => !this.mounted.has(each)).slice(0, sliceSize)) this.mounted.add(id);
    flushSync(() => this.board.emit('mounted'));
  }

  private unmounted = (): string[] => this.board.getIds().filter((id) => !this.mounted.has(id));

  private draw(id: string): void {
    this.due.delete(id);
    const now = this.nearnessIn(this.seenIn(this.board.getView()), id);
    if (now === this.near.get(id)) return;
    if (now) this.near.set(id, now);
    else this.near.delete(id);
    this.board.emit(`near:${id}`);
  }
}
