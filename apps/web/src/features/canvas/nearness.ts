import type { Box, Thing } from '@atoll/notebook';
import { type Camera, grown, lowZoom, overlaps } from './geometry.ts';

/** Things that are drawn in one frame; a cell that can be read counts for eight. */
const drawnInMotion = 16;
const drawnAtRest = 32;

/** What it has to know of the board. */
interface Looked {
  isOpen(): boolean;
  getView(): Box;
  getCamera(): Camera;
  getIds(): string[];
  getThing(id: string): Thing | undefined;
  boxOf(id: string): Box | undefined;
  isSelected(id: string): boolean;
  emit(key: string): void;
}

/** What of a board is drawn: what is near, a few in each frame. */
export class Nearness {
  private readonly board: Looked;
  private readonly near = new Map<string, 'near' | 'low'>();
  private readonly due = new Set<string>();
  private isDrawing = false;
  private motion: 'pan' | 'zoom' | null = null;
  private hasRested = false;

  constructor(board: Looked) {
    this.board = board;
  }

  /** Whether it is drawn, and whether a picture is enough. */
  of = (id: string): 'near' | 'low' | 'far' => this.near.get(id) ?? 'far';

  move(motion: 'pan' | 'zoom'): void {
    // A pinch pans between its steps, and at its limit a zoom changes nothing: it is a zoom until the board rests.
    if (this.motion !== 'zoom') this.motion = motion;
    // While zooming nothing comes or goes.
    if (this.motion === 'pan' || !this.hasRested) this.look();
  }

  rest(): void {
    this.motion = null;
    this.hasRested = true;
    this.look();
  }

  /** Which things are near enough to be drawn; those that were once stay in the page, hidden. */
  look(): void {
    if (!this.board.isOpen()) return;
    const view = this.board.getView();
    const seen = grown(view, Math.max(view.w, view.h) * 0.25);
    for (const id of this.board.getIds()) {
      const now = this.nearnessIn(seen, id);
      if (now === this.near.get(id)) this.due.delete(id);
      else this.due.add(id);
    }
    // What is seen at first is drawn at once.
    if (this.near.size === 0) this.drawNow(this.board.getIds().filter((id) => this.due.has(id) && this.isIn(view, id)));
    this.drawSoon();
  }

  private isIn(view: Box, id: string): boolean {
    const box = this.board.boxOf(id);
    return box !== undefined && overlaps(view, box);
  }

  private nearnessIn(seen: Box, id: string): 'near' | 'low' | undefined {
    const before = this.near.get(id);
    const isChosen = this.board.isSelected(id);
    if (!isChosen && !this.isIn(seen, id)) return this.motion ? before : undefined;
    // In motion nothing that is there changes. What comes is a picture first; zooming brings too much at once for that.
    if (this.motion && this.hasRested && !isChosen) return before ?? (this.motion === 'zoom' ? undefined : 'low');
    return this.board.getCamera().zoom < lowZoom ? 'low' : 'near';
  }

  /** What was made or chosen here is there before the next key is pressed. */
  drawNow(ids: Iterable<string>): void {
    if (!this.board.isOpen()) return;
    const others = new Set(this.due);
    this.due.clear();
    for (const id of ids) this.due.add(id);
    this.draw(Number.POSITIVE_INFINITY);
    for (const id of others) this.due.add(id);
  }

  private drawSoon(): void {
    if (this.isDrawing || this.due.size === 0) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.draw(this.motion ? drawnInMotion : drawnAtRest);
      this.drawSoon();
    });
  }

  /** A few in each frame: a thousand that come into sight at once must not stop what moves. */
  private draw(most: number): void {
    const view = this.board.getView();
    const seen = grown(view, Math.max(view.w, view.h) * 0.25);
    let left = most;
    for (const id of this.due) {
      if (left <= 0) return;
      this.due.delete(id);
      const now = this.nearnessIn(seen, id);
      if (now === this.near.get(id)) continue;
      left -= now === 'near' && this.board.getThing(id)?.kind === 'cell' ? 8 : 1;
      if (now) this.near.set(id, now);
      else this.near.delete(id);
      this.board.emit(`near:${id}`);
    }
  }
}
