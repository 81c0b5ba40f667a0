import type { Operation } from '@atoll/contract';
import {
  type ArrowEnd,
  arranged,
  arrowEnds,
  type BoardColour,
  type Box,
  boundsOf,
  compareThings,
  framesInOrder,
  itemOf,
  type PlacedCell,
  type PlacedItem,
  type Point,
  placeOf,
  type Shape,
  type Thing,
} from '@atoll/notebook';
import { readLocal, writeLocal } from '../../platform/storage.ts';
import type { Lobby } from '../collaboration/lobby.ts';
import { estimatedHeight } from '../notebook/estimate.ts';
import { Signals } from '../notebook/signals.ts';
import type { NotebookStore } from '../notebook/store.ts';
import type { NotebookUi } from '../notebook/ui-state.ts';
import {
  type Camera,
  clampZoom,
  fitting,
  type Guide,
  grown,
  lowZoom,
  overlaps,
  toBoard,
  viewOf,
  zoomedAt,
  zoomLimits,
} from './geometry.ts';

export const tools = [
  'select',
  'hand',
  'code',
  'markdown',
  'sql',
  'input',
  'sticky',
  'text',
  'shape',
  'arrow',
  'draw',
  'frame',
  'comment',
] as const;
export type Tool = (typeof tools)[number];

interface Parts {
  store: NotebookStore;
  ui: NotebookUi;
  fileId: string;
}

const tellingAfterMs = 1_000;
/** Things that are drawn in one frame; a cell that can be read counts for eight. */
const drawnInMotion = 16;
const drawnAtRest = 32;

/** A board: where things stand, what is seen of it, what is chosen on it. Camera and drags change the page directly. */
export class Board extends Signals {
  readonly store: NotebookStore;
  readonly ui: NotebookUi;
  private readonly viewKey: string;
  private things = new Map<string, Thing>();
  private sources = new Map<string, unknown>();
  private ids: string[] = [];
  private ranks = new Map<string, number>();
  private unplaced: string[] = [];
  /** Where cells are shown as long as no one has put any of them anywhere. */
  private automatic: Map<string, Box> | null = null;
  private camera: Camera = { x: 0, y: 0, zoom: 1 };
  private screen = { w: 0, h: 0 };
  private selection = new Set<string>();
  private tool: Tool = 'select';
  private editing: string | null = null;
  private live = new Map<string, Box>();
  private others = new Map<string, { box: Box; of: Thing | undefined; until: number }>();
  private near = new Map<string, 'near' | 'low'>();
  private readonly due = new Set<string>();
  private isDrawing = false;
  private isMoving = false;
  private hasRested = false;
  private guides: Guide[] = [];
  private marquee: Box | null = null;
  private stroke: Point[] | null = null;
  private wire: { from: ArrowEnd; to: ArrowEnd } | null = null;
  private ink: BoardColour = 'blue';
  private shape: Shape = 'rectangle';
  private pointer: Point | null = null;
  private following: string | null = null;
  private isLow = false;
  private isFindShown = false;
  private areDependenciesShown = false;
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
    this.derive();
    store.subscribe('document', () => this.derive());
    store.subscribe('mode', () => this.emit('selection'));
    ui.subscribe('active', () => {
      const active = ui.getActive();
      if (active && this.things.has(active) && !this.selection.has(active)) this.select([active]);
    });
  }

  // What there is

  getIds = (): string[] => this.ids;
  getThing = (id: string): Thing | undefined => this.things.get(id);
  getUnplaced = (): string[] => this.unplaced;
  rankOf = (id: string): number => this.ranks.get(id) ?? 0;
  boxOf = (id: string): Box | undefined => this.live.get(id) ?? this.others.get(id)?.box ?? this.homeOf(id);
  /** Without what is under somebody's hands; an arrow is where its ends are. */
  homeOf = (id: string): Box | undefined => {
    const thing = this.things.get(id);
    if (thing?.kind !== 'arrow') return thing;
    const find = (each: string) => (each === id ? undefined : this.boxOf(each));
    return boundsOf(arrowEnds(thing, find).map(({ x, y }) => ({ x, y, w: 1, h: 1 }))) ?? thing;
  };
  getCamera = (): Camera => this.camera;
  getScreen = () => this.screen;
  getView = (): Box => viewOf(this.camera, this.screen);
  getTool = (): Tool => this.tool;
  getEditing = (): string | null => this.editing;
  getGuides = (): Guide[] => this.guides;
  getMarquee = (): Box | null => this.marquee;
  getStroke = (): Point[] | null => this.stroke;
  getWire = () => this.wire;
  getPointer = (): Point | null => this.pointer;
  getInk = (): BoardColour => this.ink;
  getShape = (): Shape => this.shape;
  getSelection = (): string[] => [...this.selection];
  getFollowing = (): string | null => this.following;
  getSlide = (): number | null => this.slide;
  stage = (): HTMLElement | null => this.viewport?.parentElement ?? null;
  getFind = (): boolean => this.isFindShown;
  getDependencies = (): boolean => this.areDependenciesShown;
  isSelected = (id: string): boolean => this.selection.has(id);
  /** Whether it is drawn, and whether a picture is enough. */
  nearness = (id: string): 'near' | 'low' | 'far' => this.near.get(id) ?? 'far';
  isAutomatic = (): boolean => this.automatic !== null;
  canEdit = (): boolean => this.store.mode === 'edit';
  all = (): Thing[] => [...this.things.values()];
  selected = (): Thing[] => this.getSelection().flatMap((id) => this.things.get(id) ?? []);
  bounds = (): Box | null => boundsOf(this.boxesOf(this.ids));
  boxesOf = (ids: readonly string[]): (Box & { id: string })[] =>
    ids.flatMap((id) => {
      const box = this.boxOf(id);
      return box ? [{ id, x: box.x, y: box.y, w: box.w, h: box.h }] : [];
    });

  frames = (): PlacedItem[] => framesInOrder(this.all());

  private derive(): void {
    const things = new Map<string, Thing>();
    const sources = new Map<string, unknown>();
    const unplaced: string[] = [];
    const changed: string[] = [];
    const take = (id: string, source: unknown, make: () => Thing | null) => {
      const before = this.sources.get(id) === source ? this.things.get(id) : undefined;
      const thing = before ?? make();
      if (!thing) return false;
      things.set(id, thing);
      sources.set(id, source);
      if (!before) changed.push(id);
      return true;
    };
    const order = this.store.getOrder();
    for (const id of order) {
      const cell = this.store.getCell(id);
      // A letter more makes a cell another one, and leaves its metadata as they are.
      if (cell && !take(id, cell.metadata, () => placeOf(cell))) unplaced.push(id);
    }
    this.automatic = unplaced.length > 0 && unplaced.length === order.length ? this.arrange(unplaced) : null;
    for (const [id, box] of this.automatic ?? [])
      take(id, `${box.x} ${box.y} ${box.w} ${box.h}`, () => automaticPlace(id, box));
    for (const [id, item] of this.store.getItems()) {
      // A cell of the same name has it.
      if (item.fields && !things.has(id)) take(id, item.fields, () => itemOf(item));
    }
    const isOther = things.size !== this.things.size || changed.some((id) => !this.things.has(id));
    const before = this.things;
    this.things = things;
    this.sources = sources;
    const isRanked = isOther || changed.some((id) => before.get(id)?.z !== things.get(id)?.z);
    if (isRanked) {
      const ranked = [...things.values()].sort(compareThings);
      this.ranks = new Map(ranked.map(({ id }, rank) => [id, rank]));
    }
    for (const id of changed) {
      const told = this.others.get(id);
      if (told && told.of !== things.get(id)) this.others.delete(id);
    }
    if (isOther) {
      // By name and not by height: a frame that is moved in the page would load again.
      this.ids = [...things.keys()].sort();
      for (const id of this.selection) if (!things.has(id)) this.selection.delete(id);
      this.look();
      this.emit('things');
      this.emit('selection');
    } else if (changed.length > 0) this.look();
    if (isRanked) for (const id of this.ids) this.place(id);
    for (const id of changed) {
      this.emit(`thing:${id}`);
      this.moved(id);
    }
    if (changed.some((id) => this.selection.has(id))) this.emit('selection');
    const listed = this.automatic ? [] : unplaced;
    if (listed.join(' ') !== this.unplaced.join(' ')) {
      this.unplaced = listed;
      this.emit('unplaced');
    }
    if (changed.length > 0 || isOther) this.emit('map');
  }

  private arrange(ids: string[]): Map<string, Box> {
    const cells = ids.flatMap((id) => this.store.getCell(id) ?? []);
    // What was estimated first stays: cells must not jump while something is typed or shown.
    const heights = new Map([...(this.automatic ?? [])].map(([id, { h }]) => [id, h]));
    return arranged(cells, (id) => {
      const cell = this.store.getCell(id);
      return heights.get(id) ?? (cell ? estimatedHeight(cell, this.store.getShown(id)) + 24 : 100);
    });
  }

  // What is done here

  /** Shows at once, goes to the server, can be undone as one. A notebook without a layout gets the one that is seen. */
  edit(operations: Operation[]): boolean {
    if (!this.canEdit() || operations.length === 0) return false;
    const placed = [...(this.automatic ?? [])].map(
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
    this.selection = new Set([...ids].filter((id) => this.things.has(id)));
    for (const id of new Set([...before, ...this.selection])) {
      if (before.has(id) !== this.selection.has(id)) this.emit(`selected:${id}`);
    }
    this.drawNow(this.selection);
    if (this.editing && !this.selection.has(this.editing)) this.edits(null);
    this.emit('selection');
    const [only] = this.selection;
    const isCell = this.selection.size === 1 && only && this.things.get(only)?.kind === 'cell';
    if (isCell && this.ui.getActive() !== only) this.ui.focus(only);
    else if (!isCell && this.ui.getActive() !== null) this.ui.focus(null);
    this.tell();
  }

  /** With all that belong to the same group. */
  withGroup(id: string): string[] {
    const group = this.things.get(id)?.group;
    return group ? this.all().flatMap((thing) => (thing.group === group ? thing.id : [])) : [id];
  }

  use(tool: Tool): void {
    this.tool = tool;
    this.emit('tool');
  }

  /** The text of an item is written from now on. */
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

  toggleDependencies(): void {
    this.areDependenciesShown = !this.areDependenciesShown;
    this.emit('dependencies');
  }

  // While something moves

  move(boxes: readonly (Box & { id: string })[], guides: Guide[] = []): void {
    for (const { id, ...box } of boxes) this.live.set(id, box);
    for (const { id } of boxes) this.moved(id);
    this.guides = guides;
    this.emit('guides');
    this.emit('selection-box');
    this.tell();
  }

  stopMoving(): void {
    const ids = [...this.live.keys()];
    this.live.clear();
    for (const id of ids) this.moved(id);
    this.guides = [];
    this.emit('guides');
    this.emit('selection-box');
    this.tell();
  }

  setMarquee(box: Box | null): void {
    this.marquee = box;
    this.emit('marquee');
  }

  /** A line that is being drawn. */
  setStroke(points: Point[] | null): void {
    this.stroke = points;
    this.emit('stroke');
  }

  /** An arrow that is being drawn. */
  setWire(wire: { from: ArrowEnd; to: ArrowEnd } | null): void {
    this.wire = wire;
    this.emit('wire');
  }

  /** What the next line or shape will be. */
  prepare({ ink = this.ink, shape = this.shape }: { ink?: BoardColour; shape?: Shape }): void {
    [this.ink, this.shape] = [ink, shape];
    this.emit('tool');
  }

  private moved(id: string): void {
    this.place(id);
    this.emit(`box:${id}`);
  }

  register(id: string, element: HTMLElement | null): void {
    if (element) {
      this.elements.set(id, element);
      this.place(id);
    } else this.elements.delete(id);
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
    this.resize();
    if (!this.isPlaced && this.screen.w > 0) {
      this.isPlaced = true;
      const kept = keptCamera(readLocal(this.viewKey));
      if (kept) this.show(kept);
      else this.fit();
    } else this.show(this.camera);
  }

  focusBoard = (): void => this.viewport?.focus({ preventScroll: true });

  resize(): void {
    if (!this.viewport) return;
    const { clientWidth: w, clientHeight: h } = this.viewport;
    this.screen = { w, h };
    if (this.slide !== null) this.showSlide();
    this.look();
    this.emit('map');
  }

  /** On the screen, as a place on the board. */
  at({ x, y }: Point): Point {
    const { left = 0, top = 0 } = this.viewport?.getBoundingClientRect() ?? {};
    return toBoard(this.camera, { x: x - left, y: y - top });
  }

  show(camera: Camera): void {
    this.camera = camera;
    const { x, y, zoom } = camera;
    for (const layer of this.layers) layer.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    if (this.viewport) {
      // No variable: all cells would inherit it, and be styled anew at each step.
      const step = `${gridStep(zoom) * zoom}px`;
      this.viewport.style.backgroundSize = `${step} ${step}`;
      this.viewport.style.backgroundPosition = `${x}px ${y}px`;
    }
    this.layers[1]?.style.setProperty('--one', `${1 / zoom}px`);
    this.isLow = zoom < lowZoom;
    this.isMoving = true;
    this.emit('camera');
    this.look();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      writeLocal(this.viewKey, JSON.stringify(this.camera));
      this.isMoving = false;
      this.hasRested = true;
      // A frame's name can be read from afar.
      const size = `${Math.min(4, Math.max(1, 0.8 / this.camera.zoom))}`;
      for (const { id } of this.frames()) this.elements.get(id)?.style.setProperty('--name-scale', size);
      this.look();
      this.emit('map');
      this.tell();
    }, 150);
  }

  pan(dx: number, dy: number): void {
    this.follow(null);
    this.show({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy });
  }

  zoomAt(at: Point, zoom: number): void {
    this.follow(null);
    const { left = 0, top = 0 } = this.viewport?.getBoundingClientRect() ?? {};
    this.show(zoomedAt(this.camera, { x: at.x - left, y: at.y - top }, zoom));
  }

  zoomBy(factor: number): void {
    const { w, h } = this.screen;
    this.show(zoomedAt(this.camera, { x: w / 2, y: h / 2 }, this.camera.zoom * factor));
  }

  zoomTo(zoom: number): void {
    this.zoomBy(clampZoom(zoom) / this.camera.zoom);
  }

  fit(ids?: readonly string[], most = 1): void {
    const box = ids ? boundsOf(this.boxesOf(ids)) : mainBounds(this.boxesOf(this.ids), this.screen);
    this.show(box ? fitting(box, this.screen, most) : { x: this.screen.w / 2, y: this.screen.h / 2, zoom: 1 });
  }

  /** One frame as large as the screen; null: the board again. */
  present(slide: number | null): void {
    // Afterwards one is where one was.
    if (this.slide === null) this.beforeSlides = this.camera;
    this.slide = slide;
    this.select([]);
    this.emit('slide');
    if (slide === null) this.show(this.beforeSlides);
    else this.showSlide();
  }

  private showSlide(): void {
    const frame = this.slide === null ? undefined : this.frames()[this.slide];
    if (frame) this.show(fitting(frame, this.screen, zoomLimits.most, 0));
    else if (this.slide !== null) this.present(null);
  }

  /** Brings something into sight, if it is not. */
  reveal(id: string): void {
    const box = this.boxOf(id);
    if (!box) return;
    const view = this.getView();
    const isSeen =
      box.x >= view.x && box.y >= view.y && box.x + box.w <= view.x + view.w && box.y + box.h <= view.y + view.h;
    if (!isSeen || this.camera.zoom < lowZoom) this.fit([id]);
  }

  /** Which things are near enough to be drawn; those that were once stay in the page, hidden. */
  private look(): void {
    if (this.screen.w === 0) return;
    const view = this.getView();
    const seen = grown(view, Math.max(view.w, view.h) * 0.25);
    for (const id of this.ids) {
      const now = this.nearnessIn(seen, id);
      if (now === this.near.get(id)) this.due.delete(id);
      else this.due.add(id);
    }
    // What is seen at first is drawn at once.
    if (this.near.size === 0) this.drawNow(this.ids.filter((id) => this.due.has(id) && this.isIn(view, id)));
    this.drawSoon();
  }

  private isIn(view: Box, id: string): boolean {
    const box = this.boxOf(id);
    return box !== undefined && overlaps(view, box);
  }

  private nearnessIn(seen: Box, id: string): 'near' | 'low' | undefined {
    const before = this.near.get(id);
    const isChosen = this.selection.has(id);
    if (!isChosen && !this.isIn(seen, id)) return this.isMoving ? before : undefined;
    // In motion nothing that is there changes, and what comes is a picture first.
    if (this.isMoving && this.hasRested && !isChosen) return before ?? 'low';
    return this.isLow ? 'low' : 'near';
  }

  /** What was made or chosen here is there before the next key is pressed. */
  private drawNow(ids: Iterable<string>): void {
    if (this.screen.w === 0) return;
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
      this.draw(this.isMoving ? drawnInMotion : drawnAtRest);
      this.drawSoon();
    });
  }

  /** A few in each frame: a thousand that come into sight at once must not stop what moves. */
  private draw(most: number): void {
    const view = this.getView();
    const seen = grown(view, Math.max(view.w, view.h) * 0.25);
    let left = most;
    for (const id of this.due) {
      if (left <= 0) return;
      this.due.delete(id);
      const now = this.nearnessIn(seen, id);
      if (now === this.near.get(id)) continue;
      left -= now === 'near' && this.things.get(id)?.kind === 'cell' ? 8 : 1;
      if (now) this.near.set(id, now);
      else this.near.delete(id);
      this.emit(`near:${id}`);
    }
  }

  // The others

  meet(lobby: Lobby | null): void {
    this.lobby = lobby;
    this.tell();
  }

  point(pointer: Point | null): void {
    this.pointer = pointer;
    this.tell();
  }

  private tell(): void {
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

  /** What others have under their hands is shown there, until it is told where they dropped it. */
  watch(moving: readonly (readonly [string, number, number, number, number])[], now = performance.now()): void {
    const held = new Set<string>();
    for (const [id, x, y, w, h] of moving) {
      const of = this.things.get(id);
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

/** Where most things are: one that is a million pixels away must not make all others too small to be seen. */
function mainBounds(boxes: readonly Box[], screen: { w: number; h: number }): Box | null {
  const all = boundsOf(boxes);
  const [w, h] = [screen.w / zoomLimits.least, screen.h / zoomLimits.least];
  if (!all || (all.w <= w && all.h <= h)) return all;
  const middle = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
  const [x, y] = [middle(boxes.map((box) => box.x)), middle(boxes.map((box) => box.y))];
  const around = { x: x - w / 4, y: y - h / 4, w: w / 2, h: h / 2 };
  return boundsOf(boxes.filter((box) => overlaps(around, box))) ?? all;
}

const automaticPlace = (id: string, box: Box): PlacedCell => ({
  id,
  ...box,
  kind: 'cell',
  z: 0,
  isLocked: false,
  group: null,
  grid: null,
  show: 'both',
  isPlain: false,
});

/** The dots are no closer and no further apart than can be looked at. */
function gridStep(zoom: number): number {
  let step = 24;
  while (step * zoom < 14) step *= 2;
  while (step * zoom > 56) step /= 2;
  return step;
}

function keptCamera(text: string | null): Camera | null {
  try {
    const { x, y, zoom } = JSON.parse(text ?? 'null') ?? {};
    return [x, y, zoom].every((value) => typeof value === 'number' && Number.isFinite(value))
      ? { x, y, zoom: clampZoom(zoom) }
      : null;
  } catch {
    return null;
  }
}
