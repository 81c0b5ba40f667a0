import type { DocumentCell } from '@atoll/contract';
import type { Fields } from '../fields.ts';
import {
  arranged,
  arrowEnds,
  type Box,
  boundsOf,
  compareThings,
  framesInOrder,
  itemOf,
  type PlacedCell,
  type PlacedItem,
  type Point,
  placeOf,
  type Thing,
  takeItems,
} from '../layout/layout.ts';
import { escaped } from './escaped.ts';

/** The drawn parts of a board: all of it, one of its frames, or each frame on a page of its own. */
export type Sheets = 'board' | 'frames' | { frameId: string };

/** The size of a slide in CSS pixels. */
export const slideSize = { width: 1_280, height: 720 };
const margin = 32;
/** A board can be a million pixels wide, but a picture or a page cannot. */
const mostSide = 3_200;

type Cell = Pick<DocumentCell, 'id' | 'type' | 'source' | 'metadata'>;

function thingsOf(cells: readonly Cell[], metadata: Fields): Thing[] {
  const placed = cells.flatMap((cell) => placeOf(cell) ?? []);
  const taken = new Set(cells.map(({ id }) => id));
  const items = takeItems(metadata).items.flatMap((item) => (taken.has(item.id) ? [] : (itemOf(item) ?? [])));
  if (placed.length > 0 || items.length > 0) return [...placed, ...items].sort(compareThings);
  const boxes = arranged(cells, () => 220);
  return cells.map(
    ({ id }): PlacedCell => ({
      id,
      ...(boxes.get(id) ?? { x: 0, y: 0, w: 520, h: 220 }),
      ...{ kind: 'cell', z: 0, isLocked: false, group: null, grid: null, show: 'both', isPlain: false },
    }),
  );
}

const grown = ({ x, y, w, h }: Box): Box => ({ x: x - margin, y: y - margin, w: w + 2 * margin, h: h + 2 * margin });

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;

/** Returns the parts of the board that are drawn; an empty list for an unknown frame. */
function areasOf(things: readonly Thing[], sheets: Sheets): Box[] {
  if (sheets === 'frames') return framesInOrder(things);
  if (sheets !== 'board') return things.filter(({ id, kind }) => kind === 'frame' && id === sheets.frameId);
  const all = boundsOf(things.filter(({ kind }) => kind !== 'arrow'));
  return all ? [grown(all)] : [];
}

/** Returns the size of the drawing; null where there is nothing to draw. */
export function sheetSize(
  { cells, metadata }: { cells: readonly Cell[]; metadata: Fields },
  sheets: Sheets,
): { width: number; height: number; count: number } | null {
  const areas = areasOf(thingsOf(cells, metadata), sheets);
  const [first] = areas;
  if (!first) return null;
  if (sheets === 'frames') return { ...slideSize, count: areas.length };
  const scale = scaleOf(first);
  return { width: Math.ceil(first.w * scale), height: Math.ceil(first.h * scale), count: 1 };
}

const scaleOf = ({ w, h }: Box): number => Math.min(1, mostSide / Math.max(w, h));

/** Draws the board as it stands, with a sheet for each requested part. */
export function sheetsOf(
  { cells, metadata }: { cells: readonly Cell[]; metadata: Fields },
  sheets: Sheets,
  draw: (cellId: string, show: PlacedCell['show']) => string,
): string {
  const things = thingsOf(cells, metadata);
  const find = (id: string) => things.find((thing) => thing.id === id);
  const own = new Map<string, string>();
  const bodyOf = (thing: PlacedCell) => {
    const body = own.get(thing.id) ?? draw(thing.id, thing.show);
    own.set(thing.id, body);
    return body;
  };
  return areasOf(things, sheets)
    .map((area) => {
      const isSlide = sheets === 'frames';
      const scale = isSlide ? Math.min(slideSize.width / area.w, slideSize.height / area.h) : scaleOf(area);
      const parts = things.map((thing) => {
        if (thing.kind === 'frame') return sheets === 'board' ? frame(thing, area) : '';
        if (thing.kind === 'arrow') return arrow(thing, area, find);
        if (!overlaps(area, thing)) return '';
        return thing.kind === 'cell' ? box('cell', thing, area, bodyOf(thing)) : item(thing, area);
      });
      const inner = `<div class="area" style="width:${area.w}px;height:${area.h}px;zoom:${round(scale)}">${parts.join('')}</div>`;
      const [w, h] = isSlide
        ? [slideSize.width, slideSize.height]
        : [Math.ceil(area.w * scale), Math.ceil(area.h * scale)];
      return `<div class="sheet" style="width:${w}px;height:${h}px">${inner}</div>`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

const placed = ({ x, y, w, h }: Box, area: Box): string =>
  `left:${round(x - area.x)}px;top:${round(y - area.y)}px;width:${w}px;height:${h}px`;

const box = (kind: string, at: Box, area: Box, body: string): string =>
  `<div class="thing ${kind}" style="${placed(at, area)}">${body}</div>`;

const frame = (thing: PlacedItem, area: Box): string =>
  box('frame', thing, area, `<span>${escaped(thing.text)}</span>`);

function item(thing: PlacedItem, area: Box): string {
  const { kind, colour, size, shape, text, extent, points } = thing;
  if (kind === 'drawing') {
    const pairs = points.flatMap((x, at) => (at % 2 ? [] : `${round(x)},${round(points[at + 1] ?? 0)}`));
    return box(
      `drawing ${colour}`,
      thing,
      area,
      `<svg viewBox="0 0 ${extent.w} ${extent.h}" preserveAspectRatio="none"><polyline points="${pairs.join(' ')}"/></svg>`,
    );
  }
  if (kind === 'unknown') return '';
  return box(
    `${kind} ${colour} size-${size} ${kind === 'shape' ? shape : ''}`,
    thing,
    area,
    `<span>${escaped(text)}</span>`,
  );
}

function arrow(thing: PlacedItem, area: Box, find: (id: string) => Box | undefined): string {
  const ends = arrowEnds(thing, find).map(({ x, y }): Point => ({ x: round(x - area.x), y: round(y - area.y) }));
  const [from, to] = ends as [Point, Point];
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const side = (turn: number) =>
    `${round(to.x - 12 * Math.cos(angle + turn))},${round(to.y - 12 * Math.sin(angle + turn))}`;
  return `<svg class="arrow ${thing.colour}" style="width:${area.w}px;height:${area.h}px"><polyline points="${from.x},${from.y} ${to.x},${to.y}"/><polyline points="${side(0.45)} ${to.x},${to.y} ${side(-0.45)}"/></svg>`;
}

const colours: Record<PlacedItem['colour'], [fill: string, stroke: string]> = {
  yellow: ['#ffe9a3', '#b98500'],
  orange: ['#ffd3b0', '#c05a0c'],
  red: ['#ffc9c9', '#c93737'],
  violet: ['#e2d5fb', '#7446c4'],
  blue: ['#cfe2ff', '#2b66c9'],
  teal: ['#c3ece8', '#0b7d77'],
  green: ['#d0efc6', '#3a8526'],
  grey: ['#e4e6ea', '#6a7180'],
};

/** The light theme, as paper is white. */
export const sheetStyle = `
.sheet{position:relative;overflow:hidden;background:#fff;display:flex;align-items:center;justify-content:center}.sheet .area{position:relative;flex:none;overflow:hidden}
.sheet .thing{position:absolute;box-sizing:border-box;overflow:hidden;color:#1f2328;font:16px/1.4 Inter,system-ui,sans-serif}
.sheet .thing.cell{border:1px solid #e4e6ea;border-radius:10px;background:#fff;padding:12px}.sheet .thing.cell .cell{font-size:14px;line-height:1.5}.sheet .cell>section>:first-child{margin-top:0}.sheet .thing.cell img{max-width:100%;height:auto}
.sheet .sticky,.sheet .shape{display:flex;align-items:center;justify-content:center;padding:12px;text-align:center;white-space:pre-wrap;background:var(--fill)}.sheet .sticky{border-radius:3px 3px 14px 3px}.sheet .shape{border:1.5px solid var(--stroke);border-radius:6px}.sheet .shape.ellipse{border-radius:50%}.sheet .shape.diamond{clip-path:polygon(50% 0,100% 50%,50% 100%,0 50%);border:0}
.sheet .text{white-space:pre-wrap;font-size:18px}.sheet .text.size-s{font-size:14px}.sheet .text.size-l{font-size:28px;font-weight:600}.sheet .text.size-xl{font-size:44px;font-weight:700;line-height:1.1}.sheet .text:not(.grey){color:var(--stroke)}
.sheet .frame{border:1.5px solid #c6cbd2;border-radius:6px;overflow:visible}.sheet .frame>span{position:absolute;bottom:calc(100% + 4px);left:0;color:#656d76;font-weight:600;white-space:nowrap}
.sheet svg{display:block;width:100%;height:100%;overflow:visible}.sheet svg.arrow{position:absolute;top:0;left:0}.sheet polyline{fill:none;stroke:var(--stroke);stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
${Object.entries(colours)
  .map(([name, [fill, stroke]]) => `.sheet .${name}{--fill:${fill};--stroke:${stroke}}`)
  .join('')}
`.replace(/\n/g, '');

/** Wraps the page in an SVG drawing. */
export const sheetsAsSvg = (
  html: string,
  style: string,
  { width, height }: { width: number; height: number },
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><foreignObject width="${width}" height="${height}"><div xmlns="http://www.w3.org/1999/xhtml"><style>${escaped(style)}</style><div class="article" style="max-width:none;margin:0">${asXml(html)}</div></div></foreignObject></svg>\n`;

/**
 * Our own and sanitised HTML has quoted attributes; only void elements and bare attributes remain to be changed for XML.
 */
const asXml = (html: string): string =>
  html
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML knows no other way to write them than not at all.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replace(/<(img|br|hr|col|wbr)\b([^>]*?)\s*\/?>/g, '<$1$2/>')
    .replace(/<details open(?=[\s>])/g, '<details open=""')
    .replace(/&nbsp;/g, '&#160;')
    .replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/g, '&amp;');
