import type { Operation } from '@atoll/contract';
import { arrowEnds, type Box, boundsOf, framesInOrder, type PlacedItem, type Point, type Thing } from '@atoll/notebook';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import type { Lobby } from '../collaboration/lobby.ts';
import type { NotebookStore } from '../notebook/store.ts';
import type { NotebookUi } from '../notebook/ui-state.ts';
import { BoardContents } from './board-contents.ts';
import { BoardTools } from './board-tools.ts';
import { fittedBeside, gridStep, keptCamera, mainBounds, nameScale, takenCorner } from './camera.ts';
import {
  type Camera,
  clampZoom,
  fitting,
  type Guide,
  lowZoom,
  toBoard,
  viewOf,
  zoomedAt,
  zoomLimits,
} from './geometry.ts';
import { Nearness, restAfterMs } from './nearness.ts';

interface Parts {
  store: NotebookStore;
  ui: NotebookUi;
  fileId: string;
}

const tellingAfterMs = 1_000;

/** A board: its things, its view and its selection. Camera and drags change the page directly. */
export class Board extends BoardTools {
  readonly store: NotebookStore;
  readonly ui: NotebookUi;
  private readonly viewKey: string;
  private readonly contents: BoardContents;
  private readonly drawn = new Nearness(this);
  private camera: Camera = { x: 0, y: 0, zoom: 1 };
  private screen = { w: 0, h: 0 };
  private selection = new Set<string>();
  private editing: string | null = null;
  private live = new Map<string, Box>();
  private others = new Map<string, { box: Box; of: Thing | undefined; until: number }>();
  private guides: Guide[] = [];
  private pointer: Point | null = null;
  private following: string | null = null;
  private isFindShown = false;
  private slide: number | null = null;
  private beforeSlides = this.camera;
  private readonly elements = new Map<string, HTMLElement>();
  private layers: HTMLElement[] = [];
  private viewport: HTMLElement | null = null;
  private lobby: Lobby | null = null;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private isPlaced = false;

  constructor({ store, ui, fileId }: Parts) {
    super();
    this.store = store;
    this.ui = ui;
    this.viewKey = `board_view:${fileId}`;
    this.contents = new BoardContents(store);
    this.derive();
    store.subscribe('document', () => this.derive());
    store.subscribe('mode', () => this.emit('selection'));
    this.subscribe('thumbnails', () => this.showSlide());
    ui.subscribe('active', () => {
      const active = ui.getActive();
      if (active && this.contents.things.has(active) && !this.selection.has(active)) this.select([active]);
    });
  }

  // State

  getIds = (): string[] => this.contents.ids;
  getThing = (id: string): Thing | undefined => this.contents.things.get(id);
  getUnplaced = (): string[] => this.contents.unplaced;
  rankOf = (id: string): number => this.contents.ranks.get(id) ?? 0;
  boxOf = (id: string): Box | undefined => this.live.get(id) ?? this.others.get(id)?.box ?? this.homeOf(id);
  /** The box without drags in progress; an arrow's box is between its ends. */
  homeOf = (id: string): Box | undefined => {
    const thing = this.contents.things.get(id);
    if (thing?.kind !== 'arrow') return thing;
    const find = (each: string) => (each === id ? undefined : this.boxOf(each));
    return boundsOf(arrowEnds(thing, find).map(({ x, y }) => ({ x, y, w: 1, h: 1 }))) ?? thing;
  };
  getCamera = (): Camera => this.camera;
  getScreen = () => this.screen;
  getView = (): Box => viewOf(this.camera, this.screen);
  getEditing = (): string | null => this.editing;
  getGuides = (): Guide[] => this.guides;
  getPointer = (): Point | null => this.pointer;
  getSelection = (): string[] => [...this.selection];
  getFollowing = (): string | null => this.following;
  getSlide = (): number | null => this.slide;
  stage = (): HTMLElement | null => this.viewport?.parentElement ?? null;
  getFind = (): boolean => this.isFindShown;
  isSelected = (id: string): boolean => this.selection.has(id);
  nearness = (id: string) => this.drawn.of(id);
  isMounted = (id: string): boolean => this.drawn.isMounted(id);
  countMounted = (): number => this.drawn.countMounted();
  isOpen = (): boolean => this.screen.w > 0;
  isAutomatic = (): boolean => this.contents.automatic !== null;
  canEdit = (): boolean => this.store.mode === 'edit';
  all = (): Thing[] => [...this.contents.things.values()];
  selected = (): Thing[] => this.getSelection().flatMap((id) => this.contents.things.get(id) ?? []);
  bounds = (): Box | null => boundsOf(this.boxesOf(this.getIds()));
  boxesOf = (ids: readonly string[]): (Box & { id: string })[] =>
    ids.flatMap((id) => {
      const box = this.boxOf(id);
      return box ? [{ id, x: box.x, y: box.y, w: box.w, h: box.h }] : [];
    });

  frames = (): PlacedItem[] => framesInOrder(this.all());

  private derive(): void {
    const { changed, isOther, isRanked, isListed } = this.contents.read();
    for (const id of changed) {
      const told = this.others.get(id);
      if (told && told.of !== this.getThing(id)) this.others.delete(id);
    }
    if (isOther) {
      for (const id of this.selection) if (!this.getThing(id)) this.selection.delete(id);
      this.drawn.look();
      this.emit('things');
      this.emit('selection');
    } else if (changed.length > 0) this.drawn.look();
    if (isRanked) for (const id of this.getIds()) this.place(id);
    for (const id of changed) {
      this.emit(`thing:${id}`);
      this.moved(id);
    }
    if (changed.some((id) => this.selection.has(id))) this.emit('selection');
    if (isListed) this.emit('unplaced');
    if (changed.length > 0 || isOther) this.emit('map');
  }

  // Edits

  /** Shows the edit at once, sends it, and undoes it as one. A notebook without a layout gets the layout that is seen. */
  edit(operations: Operation[]): boolean {
    if (!this.canEdit() || operations.length === 0) return false;
    const placed = [...(this.contents.automatic ?? [])].map(
      ([cell_id, { x, y, w, h }]): Operation => ({
        op: 'update_cell_metadata',
        cell_id,
        metadata: { atoll: { place: { x, y, w, h } } },
      }),
    );
    const isDone = this.store.edit([...placed, ...operations]);
    this.stopMoving();
    return isDone;
  }

  select(ids: Iterable<string>): void {
    const before = this.selection;
    this.selection = new Set([...ids].filter((id) => this.contents.things.has(id)));
    for (const id of new Set([...before, ...this.selection])) {
      if (before.has(id) !== this.selection.has(id)) this.emit(`selected:${id}`);
    }
    this.drawn.drawNow(this.selection);
    if (this.editing && !this.selection.has(this.editing)) this.edits(null);
    this.emit('selection');
    const [only] = this.selection;
    const isCell = this.selection.size === 1 && only && this.contents.things.get(only)?.kind === 'cell';
    if (isCell && this.ui.getActive() !== only) this.ui.focus(only);
    else if (!isCell && this.ui.getActive() !== null) this.ui.focus(null);
    this.notify();
  }

  /** Returns a thing with all others of its group. */
  withGroup(id: string): string[] {
    const group = this.contents.things.get(id)?.group;
    return group ? this.all().flatMap((thing) => (thing.group === group ? thing.id : [])) : [id];
  }

  /** Begins to edit the text of an item. */
  edits(id: string | null): void {
    const before = this.editing;
    this.editing = id;
    for (const each of [before, id]) if (each) this.emit(`editing:${each}`);
    this.emit('selection');
  }

  showFind(isShown: boolean): void {
    this.isFindShown = isShown;
    this.emit('find');
    if (!isShown) this.viewport?.focus({ preventScroll: true });
  }

  // Drags in progress

  move(boxes: readonly (Box & { id: string })[], guides: Guide[] = []): void {
    for (const { id, ...box } of boxes) this.live.set(id, box);
    for (const { id } of boxes) this.moved(id);
    this.guides = guides;
    this.emit('guides');
    this.emit('selection-box');
    this.notify();
  }

  stopMoving(): void {
    const ids = [...this.live.keys()];
    this.live.clear();
    for (const id of ids) this.moved(id);
    this.guides = [];
    this.emit('guides');
    this.emit('selection-box');
    this.notify();
  }

  private moved(id: string): void {
    this.place(id);
    this.emit(`box:${id}`);
  }

  register(id: string, element: HTMLElement | null): void {
    if (element) {
      this.elements.set(id, element);
      this.place(id);
      this.scaleName(id);
    } else this.elements.delete(id);
  }

  private scaleName(id: string): void {
    const [element, frame] = [this.elements.get(id), this.boxOf(id)];
    if (!element || !frame || this.getThing(id)?.kind !== 'frame') return;
    const size = nameScale(frame, this.boxesOf(this.getIds()), this.camera.zoom);
    element.style.setProperty('--name-scale', String(size));
  }

  elementOf = (id: string): HTMLElement | undefined => this.elements.get(id);

  private place(id: string): void {
    const [element, box] = [this.elements.get(id), this.boxOf(id)];
    if (!element || !box) return;
    element.style.left = `${box.x}px`;
    element.style.top = `${box.y}px`;
    element.style.width = `${box.w}px`;
    element.style.height = `${box.h}px`;
    element.style.zIndex = String(this.rankOf(id));
  }

  // The camera

  attach(viewport: HTMLElement | null, layers: HTMLElement[]): void {
    this.viewport = viewport;
    this.layers = layers;
    if (!viewport) return;
    const { clientWidth: w, clientHeight: h } = viewport;
    this.screen = { w, h };
    // The camera is set before anything is drawn, so that nothing is drawn in vain.
    if (!this.isPlaced && this.screen.w > 0) {
      this.isPlaced = true;
      const kept = keptCamera(readLocal(this.viewKey));
      if (kept) this.show(kept);
      else this.fit();
    } else if (this.slide !== null) this.showSlide();
    else this.show(this.camera);
  }

  focusBoard = (): void => this.viewport?.focus({ preventScroll: true });

  /** Converts a point on the screen to a point on the board. */
  at({ x, y }: Point): Point {
    const { left = 0, top = 0 } = this.viewport?.getBoundingClientRect() ?? {};
    return toBoard(this.camera, { x: x - left, y: y - top });
  }

  show(camera: Camera, motion: 'pan' | 'zoom' = camera.zoom === this.camera.zoom ? 'pan' : 'zoom'): void {
    this.camera = camera;
    const { x, y, zoom } = camera;
    for (const layer of this.layers) layer.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    if (this.viewport) {
      // Styles are set without a variable, because all cells would inherit it and be styled again at each step.
      const step = `${gridStep(zoom) * zoom}px`;
      this.viewport.style.backgroundSize = `${step} ${step}`;
      this.viewport.style.backgroundPosition = `${x}px ${y}px`;
    }
    this.layers[1]?.style.setProperty('--one', `${1 / zoom}px`);
    this.emit('camera');
    this.drawn.move(motion);
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      writeLocal(this.viewKey, JSON.stringify(this.camera));
      for (const { id } of this.frames()) this.scaleName(id);
      this.drawn.rest();
      this.emit('map');
      this.notify();
    }, restAfterMs);
  }

  pan(dx: number, dy: number): void {
    this.follow(null);
    this.show({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy });
  }

  zoomAt(at: Point, zoom: number): void {
    this.follow(null);
    const { left = 0, top = 0 } = this.viewport?.getBoundingClientRect() ?? {};
    // A zoom at its limit does not change the camera, but still counts as a zoom.
    this.show(zoomedAt(this.camera, { x: at.x - left, y: at.y - top }, zoom), 'zoom');
  }

  zoomBy(factor: number): void {
    const { w, h } = this.screen;
    this.show(zoomedAt(this.camera, { x: w / 2, y: h / 2 }, this.camera.zoom * factor));
  }

  zoomTo(zoom: number): void {
    this.zoomBy(clampZoom(zoom) / this.camera.zoom);
  }

  fit(ids?: readonly string[], most = 1): void {
    const [boxes, { w, h }] = [this.boxesOf(ids ?? this.getIds()), this.screen];
    const box = ids ? boundsOf(boxes) : mainBounds(boxes, this.screen);
    this.show(box ? fittedBeside(takenCorner({ w }), box, boxes, { w, h }, most) : { x: w / 2, y: h / 2, zoom: 1 });
  }

  /** Shows one frame as large as the screen; null returns to the board. */
  present(slide: number | null): void {
    // The camera returns to its place after the slides.
    if (this.slide === null) this.beforeSlides = this.camera;
    this.slide = slide;
    this.select([]);
    this.emit('slide');
    if (slide === null) this.show(this.beforeSlides);
    else this.showSlide();
  }

  private showSlide(): void {
    const frame = this.shownFrame();
    const { w, h } = this.screen;
    if (frame) this.show(fitting(frame, { w, h: h - this.getSlideRoom() }, zoomLimits.most, 0));
    else if (this.slide !== null) this.present(null);
  }

  shownFrame = (): PlacedItem | undefined => (this.slide === null ? undefined : this.frames()[this.slide]);

  /** Brings a thing into sight, if it is not. */
  reveal(id: string): void {
    const box = this.boxOf(id);
    if (!box) return;
    const view = this.getView();
    const isSeen =
      box.x >= view.x && box.y >= view.y && box.x + box.w <= view.x + view.w && box.y + box.h <= view.y + view.h;
    if (!isSeen || this.camera.zoom < lowZoom) this.fit([id]);
  }

  // Other people

  meet(lobby: Lobby | null): void {
    this.lobby = lobby;
    this.notify();
  }

  point(pointer: Point | null): void {
    this.pointer = pointer;
    this.notify();
  }

  private notify(): void {
    const { x, y, w, h } = this.getView();
    const whole = (value: number) => Math.round(value * 10) / 10;
    this.lobby?.board({
      pointer: this.pointer && [whole(this.pointer.x), whole(this.pointer.y)],
      view: this.screen.w > 0 ? [whole(x), whole(y), whole(w), whole(h)] : null,
      selected: this.getSelection().slice(0, 200),
      moving: [...this.live]
        .slice(0, 200)
        .map(([id, box]) => [id, whole(box.x), whole(box.y), whole(box.w), whole(box.h)]),
    });
  }

  /** Shows things that others drag at their current place, until the edit with the final place arrives. */
  watch(moving: readonly (readonly [string, number, number, number, number])[], now = performance.now()): void {
    const held = new Set<string>();
    for (const [id, x, y, w, h] of moving) {
      const of = this.contents.things.get(id);
      if (!of || this.live.has(id)) continue;
      held.add(id);
      this.others.set(id, { box: { x, y, w, h }, of, until: now + tellingAfterMs });
      this.moved(id);
    }
    for (const [id, { until }] of this.others) {
      if (held.has(id) || now < until) continue;
      this.others.delete(id);
      this.moved(id);
    }
  }

  follow(userId: string | null): void {
    if (this.following === userId) return;
    this.following = userId;
    this.emit('following');
  }
}
